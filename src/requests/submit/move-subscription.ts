/**
 * Moves a subscription to another plan as the interface advises (section 3.2): stop the current subscription, create a
 * new one. The two steps are not atomic. So everything that can be checked is checked before the first, and a failure
 * of the second says what is in place.
 */
import type { JsonObject } from '../../base/json.ts';
import { knownWord } from '../../cli/body/build-body.ts';
import { pickOrType } from '../../cli/body/pick-or-type.ts';
import type { CommandOptions } from '../../cli/flags/command-options.ts';
import { checkRequest } from '../../contract/check.ts';
import { fieldSchema } from '../../contract/field-schemas.ts';
import { readFlag } from '../../contract/normal.ts';
import {
  subscriptionCreate,
  subscriptionGet,
  subscriptionUpdate,
} from '../../contract/resources/subscription.ts';
import { Failure, usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { typedWord } from '../../host/redaction/safe.ts';
import { type Asking, summarise, withAsking } from '../asking.ts';
import { askedId, planChoices } from '../known-choices.ts';
import { callNamed } from '../look-up/get-many.ts';
import type { Session } from '../session.ts';
import { RECORD_UNPRINTED, submit } from './submit.ts';

/** The terms of the new subscription; undefined for a term that stays. */
interface NewTerms {
  plan: string | undefined;
  reference: string | undefined;
  frequency: string | undefined;
  startDate: string | undefined;
}

/** @throws Failure that says what is in place, if the second step did not succeed */
export async function moveSubscription(
  context: Context,
  name: string | undefined,
  terms: NewTerms,
  options: CommandOptions,
): Promise<void> {
  const words = ['subscription', 'move', ...(name === undefined ? [] : [name])];
  const settings = { operation: subscriptionCreate, words, ...options };
  await withAsking(context, settings, async (asking) => {
    const named = await askedId(asking, name, 'subscription', 'reference');
    const plan = terms.plan ?? (await askForPlan(asking));
    await moveTo(asking, { named, plan, terms });
  });
}

/** @throws Failure usage if gw cannot ask */
async function askForPlan({ session, questions }: Asking): Promise<string> {
  if (!session.options.mayAsk)
    throw usage(
      'flag-missing',
      'Missing: --plan.',
      'Add --plan <plan>. To see the plans, run `gw plan list`.',
      { sent: false },
    );
  const plan = await pickOrType(questions, 'New plan', await planChoices(session));
  questions.answer('plan', plan);
  return plan;
}

interface Move {
  /** The reference, or another known name. */
  named: string;
  plan: string;
  terms: NewTerms;
}

async function moveTo(asking: Asking, { named, plan, terms }: Move): Promise<void> {
  const { session } = asking;
  refuseBadDate(terms.startDate);
  frequencyOf(terms);
  const found = await callNamed(asking, subscriptionGet, named, subscriptionUpdate);
  const [current = {}] = found.records;
  const reference = typeof current.reference === 'string' ? current.reference : named;
  const id = typeof current.id === 'string' ? current.id : reference;
  refuseStopped(current, { reference, id, plan });
  const body = bodyOf(current, { reference, plan, terms });
  checkRequest(subscriptionCreate, body);
  if (session.options.isDryRun) {
    await session.rehearse(subscriptionUpdate, { id, body: { is_active: false } });
    await session.rehearse(subscriptionCreate, { body });
    return;
  }
  await refuseTakenReference(session, String(body.reference));
  await session.gateway.confirmation.requirePlan(subscriptionCreate, { body });
  await session.gateway.admit(subscriptionUpdate);
  await summarise(asking, subscriptionCreate, { body });
  const cleared = await session.gateway.clearance(subscriptionCreate, { body });
  if (cleared.refused)
    throw await session.gateway.ledger.refusal(cleared.refused, cleared.operation, { body });
  await session.call(subscriptionUpdate, { id, body: { is_active: false } });
  try {
    await submit(session, subscriptionCreate, { body }, cleared);
  } catch (error) {
    throw error instanceof Failure ? halfway(error, reference, id) : error;
  }
  await session.notice(`Stopped ${reference}; ${String(body.reference)} takes its place.`);
}

/**
 * The new subscription bills from the day the old one was due. A stopped one bills nobody (section 3.2), so a move would
 * start charges that the customer does not expect, from a day that may be past.
 * @throws Failure usage if the gateway says that the subscription is stopped
 */
function refuseStopped(
  current: JsonObject,
  { reference, id, plan }: { reference: string; id: string; plan: string },
): void {
  if (readFlag(current.is_active ?? null) !== false) return;
  throw usage(
    'subscription-stopped',
    `${reference} is stopped, so a move would bill its customer again.`,
    `Nothing was changed. To bill the customer on ${plan}, run \`gw subscription create\`. To bill as before, run \`gw subscription resume ${typedWord(id)}\`.`,
  );
}

/** A taken reference would fail the second step after the first is done. */
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

/**
 * Checks the date first: the rest of the new subscription is known, and checked, only after the old one was looked up.
 */
function refuseBadDate(value: string | undefined): void {
  if (
    value === undefined ||
    fieldSchema(subscriptionCreate.body.fields.start_date).safeParse(value).success
  )
    return;
  throw usage(
    'date-invalid',
    `--start-date ${JSON.stringify(value)} is not a date that exists (YYYY-MM-DD).`,
    'Correct it, then run the command again.',
    { sent: false },
  );
}

function frequencyOf({ frequency }: NewTerms): string | undefined {
  const { words } = subscriptionCreate.body.fields.frequency;
  return frequency === undefined ? undefined : knownWord('frequency', frequency, words);
}

function bodyOf(
  current: JsonObject,
  { reference, plan, terms }: Omit<Move, 'named'> & { reference: string },
): JsonObject {
  const startDate = terms.startDate ?? current.next_billing_date;
  return {
    customer: current.customer ?? null,
    plan,
    frequency: frequencyOf(terms) ?? current.frequency ?? null,
    ...(typeof startDate === 'string' ? { start_date: startDate } : {}),
    reference: terms.reference ?? `${reference}-${plan}`,
    is_active: true,
  };
}

function halfway(error: Failure, reference: string, id: string): Failure {
  if (error.code === RECORD_UNPRINTED)
    return error.with({ message: `${reference} was stopped. ${error.message}` });
  const isUnknown = error.kind === 'unknown';
  const state = isUnknown ? 'may or may not have been created' : 'was not created';
  // Two subscriptions would charge twice.
  const first = isUnknown ? `${error.next} If it was not created: ` : '';
  return error.with({
    message: `${reference} was stopped, but the new one ${state}. ${error.message}`,
    next: `${first}To keep billing as before, run \`gw subscription resume ${typedWord(id)}\`. To finish the move, run \`gw subscription create\` with a new reference.`,
    operation: 'subscription move',
    // The request that stopped it was sent.
    sent: undefined,
    // There is nothing to find out about a request that certainly failed.
    entry: isUnknown ? error.entry : undefined,
    cause: error,
  });
}
