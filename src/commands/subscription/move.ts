import { Flags } from '@oclif/core';
import type { JsonObject } from '../../base/json.ts';
import { checkRequest } from '../../client/check.ts';
import {
  planGet,
  subscriptionCreate,
  subscriptionGet,
  subscriptionUpdateOperation,
} from '../../contract/operations.ts';
import { subscriptionRequest } from '../../contract/subscription.ts';
import { OperationCommand } from '../../dispatch/operation-command.ts';
import { Failure, usage } from '../../failure.ts';
import { idArg } from '../../flags/args.ts';
import { operationFlags } from '../../flags/operation-flags.ts';
import { ONE, type OperationFlags, withSession } from '../../operations/run-operation.ts';
import { submit } from '../../operations/submit.ts';
import type { Session } from '../../session/session.ts';

const inherited = operationFlags(subscriptionCreate);

/**
 * The interface's own advice (section 3.2): stop the current subscription, create a new one. The
 * two steps are not one: everything that can be checked is checked before the first, and a failure
 * of the second says what stands.
 */
export default class SubscriptionMove extends OperationCommand {
  static override summary = 'Move a subscription to another plan';
  static override description =
    'The gateway has no such request: the subscription is stopped, and one for the same customer is ' +
    'created on the new plan, billed from the day the old one was due. When the second step fails, the ' +
    'message says what stands and how to go on. The recurring area is deprecated in the gateway and ' +
    'works as documented.';
  static override examples = [
    '<%= config.bin %> subscription move SUB-1 --plan SILVER --profile local',
    '<%= config.bin %> subscription move SUB-1 --plan SILVER --new-reference SUB-1B --frequency Monthly --profile local',
  ];
  static override args = idArg('Reference of the subscription.');
  static override flags = {
    plan: Flags.string({
      description: 'Reference or id of the new plan.',
      required: true,
      helpValue: '<plan>',
    }),
    'new-reference': Flags.string({
      description:
        'Reference of the new subscription. Default: the old one and the plan, REFERENCE-PLAN.',
      helpValue: '<reference>',
    }),
    frequency: Flags.string({ description: 'Default: as before.', helpValue: '<frequency>' }),
    'start-date': Flags.string({
      description: 'First day billed on the new plan. Default: the day the old one was due next.',
      helpValue: '<date>',
    }),
    ...pick(inherited, [
      'dry-run',
      'output',
      'json',
      'fields',
      'raw',
      'profile',
      'timeout',
      'no-input',
      'debug',
    ]),
  };
  readonly operation = subscriptionCreate;

  async run(): Promise<void> {
    const { args, flags } = await this.input();
    await withSession(this.context, this.operation, flags, ONE, (session) =>
      this.move(session, args.id ?? '', flags),
    );
  }

  private async move(session: Session, reference: string, flags: OperationFlags): Promise<void> {
    refuseBadDate(flags['start-date']);
    const current = (await session.call(subscriptionGet, { id: reference })).records[0] ?? {};
    const body = bodyOf(current, reference, flags);
    checkRequest(subscriptionCreate, body);
    const id = typeof current.id === 'string' ? current.id : reference;
    if (flags['dry-run']) {
      await session.printRequest(subscriptionUpdateOperation, { id, body: { is_active: false } });
      await session.printRequest(subscriptionCreate, { body });
      return;
    }
    await this.refuseTakenReference(session, String(body.reference));
    await session.call(planGet, { id: String(flags.plan) });
    await session.call(subscriptionUpdateOperation, { id, body: { is_active: false } });
    try {
      await submit(session, subscriptionCreate, { body });
    } catch (error) {
      throw error instanceof Failure ? halfway(error, reference, id) : error;
    }
    await session.notice(`${reference} is stopped; ${String(body.reference)} takes its place.`);
  }

  /** A taken reference would fail the second step, when the first one has been done. */
  private async refuseTakenReference(session: Session, reference: string): Promise<void> {
    try {
      await session.call(subscriptionGet, { id: reference });
    } catch (error) {
      if (error instanceof Failure && error.kind === 'notFound') return;
      throw error;
    }
    throw new Failure('usage', `There is a subscription ${reference} already.`, {
      next: 'Nothing was changed. Give the new one another reference with --new-reference.',
    });
  }
}

/** The rest of the new subscription is known, and checked, only when the old one was looked up. */
function refuseBadDate(value: unknown): void {
  if (value === undefined || subscriptionRequest().shape.start_date.safeParse(value).success)
    return;
  throw usage(
    `--start-date ${JSON.stringify(value)} is not a date that exists (YYYY-MM-DD).`,
    'Nothing was sent. Correct it and run the command again.',
  );
}

function bodyOf(current: JsonObject, reference: string, flags: OperationFlags): JsonObject {
  const startDate = flags['start-date'] ?? current.next_billing_date;
  return {
    customer: current.customer ?? null,
    plan: String(flags.plan),
    frequency: typeof flags.frequency === 'string' ? flags.frequency : (current.frequency ?? null),
    ...(typeof startDate === 'string' ? { start_date: startDate } : {}),
    reference:
      typeof flags['new-reference'] === 'string'
        ? flags['new-reference']
        : `${reference}-${String(flags.plan)}`,
    is_active: true,
  };
}

function halfway(error: Failure, reference: string, id: string): Failure {
  const state =
    error.kind === 'unknown'
      ? 'the new one may or may not have been created'
      : 'the new one was not created';
  return new Failure(error.kind, `${reference} is stopped, and ${state}: ${error.message}`, {
    next: `To go on billing as before: \`gw subscription update ${id} --is-active\`. To finish the move: \`gw subscription create\` with a reference of its own.`,
    operation: 'subscription move',
    errors: error.errors,
    cause: error,
    ...(error.status === undefined ? {} : { status: error.status }),
  });
}

function pick<T>(flags: Record<string, T>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(flags).filter(([name]) => names.includes(name)));
}
