/**
 * Moves a subscription to another plan, by the interface's own advice (section 3.2): stop the current
 * subscription, create a new one. The two steps are not one: everything that can be checked is
 * checked before the first, and a failure of the second says what stands.
 */
import type { JsonObject } from '../base/json.ts';
import { checkRequest } from '../client/check.ts';
import { fieldSchema } from '../contract/field-schemas.ts';
import { planGet } from '../contract/plan.ts';
import {
  subscriptionCreate,
  subscriptionGet,
  subscriptionUpdate,
} from '../contract/subscription.ts';
import { Failure, usage } from '../failure.ts';
import type { Context } from '../session/context.ts';
import type { Session } from '../session/session.ts';
import { type SessionFlags, withSession } from './run-operation.ts';
import { RECORD_UNPRINTED, submit } from './submit.ts';

type MoveFlags = SessionFlags & {
  plan: string;
  'new-reference'?: string | undefined;
  frequency?: string | undefined;
  'start-date'?: string | undefined;
};

/** @throws Failure that says what stands, when the second step did not succeed */
export async function moveSubscription(
  context: Context,
  reference: string,
  flags: MoveFlags,
): Promise<void> {
  await withSession(context, { operation: subscriptionCreate, flags }, (session) =>
    move(session, reference, flags),
  );
}

async function move(session: Session, reference: string, flags: MoveFlags): Promise<void> {
  refuseBadDate(flags['start-date']);
  const current = (await session.call(subscriptionGet, { id: reference })).records[0] ?? {};
  const body = bodyOf(current, reference, flags);
  checkRequest(subscriptionCreate, body);
  const id = typeof current.id === 'string' ? current.id : reference;
  if (session.options.isDryRun) {
    await session.rehearse(subscriptionUpdate, { id, body: { is_active: false } });
    await session.rehearse(subscriptionCreate, { body });
    return;
  }
  await refuseTakenReference(session, String(body.reference));
  await session.call(planGet, { id: flags.plan });
  await session.call(subscriptionUpdate, { id, body: { is_active: false } });
  try {
    await submit(session, subscriptionCreate, { body });
  } catch (error) {
    throw error instanceof Failure ? halfway(error, reference, id) : error;
  }
  await session.notice(`Stopped ${reference}; ${String(body.reference)} takes its place.`);
}

/** A taken reference would fail the second step, when the first one has been done. */
async function refuseTakenReference(session: Session, reference: string): Promise<void> {
  try {
    await session.call(subscriptionGet, { id: reference });
  } catch (error) {
    if (error instanceof Failure && error.kind === 'notFound') return;
    throw error;
  }
  throw usage(
    'reference-taken',
    `A subscription ${reference} already exists.`,
    'Nothing was changed. Choose another reference with --new-reference.',
  );
}

/** The rest of the new subscription is known, and checked, only when the old one was looked up. */
function refuseBadDate(value: string | undefined): void {
  if (
    value === undefined ||
    fieldSchema(subscriptionCreate.body.fields.start_date).safeParse(value).success
  )
    return;
  throw usage(
    'date-invalid',
    `--start-date ${JSON.stringify(value)} is not a date that exists (YYYY-MM-DD).`,
    'Nothing was sent. Correct it, then run the command again.',
  );
}

function bodyOf(current: JsonObject, reference: string, flags: MoveFlags): JsonObject {
  const startDate = flags['start-date'] ?? current.next_billing_date;
  return {
    customer: current.customer ?? null,
    plan: flags.plan,
    frequency: flags.frequency ?? current.frequency ?? null,
    ...(typeof startDate === 'string' ? { start_date: startDate } : {}),
    reference: flags['new-reference'] ?? `${reference}-${flags.plan}`,
    is_active: true,
  };
}

function halfway(error: Failure, reference: string, id: string): Failure {
  if (error.code === RECORD_UNPRINTED)
    return error.reworded({ message: `${reference} was stopped. ${error.message}` });
  const state =
    error.kind === 'unknown'
      ? 'the new one may or may not have been created'
      : 'the new one was not created';
  return new Failure(error.kind, `${reference} was stopped, but ${state}: ${error.message}`, {
    next: `To keep billing as before, run \`gw subscription update ${id} --is-active\`. To finish the move, run \`gw subscription create\` with a new reference.`,
    code: error.code,
    operation: 'subscription move',
    errors: error.errors,
    cause: error,
    ...(error.status === undefined ? {} : { status: error.status }),
  });
}
