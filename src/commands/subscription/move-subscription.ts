/**
 * Moves a subscription to another plan, date or frequency as the interface advises (section 3.2): stop the current subscription, create a
 * new one. The two steps are not atomic. So everything that can be checked is checked before the first, the ledger notes
 * that a move began, and the same command again finishes it.
 */
import type { Json, JsonObject } from '../../base/json.ts';
import { dateOrNull, textOrNull } from '../../base/text.ts';
import type { CommandOptions } from '../../cli/flags/command-options.ts';
import type { Reply } from '../../client/exchange/classify.ts';
import type { CallInput } from '../../client/exchange/wire-request.ts';
import { gatewayTime } from '../../client/gateway-time.ts';
import { checkNote } from '../../client/guards/rules.ts';
import { checkRequest } from '../../contract/check.ts';
import { fieldSchema } from '../../contract/field-schemas.ts';
import { moneyText } from '../../contract/money.ts';
import { readFlag } from '../../contract/normal.ts';
import {
  FREQUENCIES,
  subscriptionCreate,
  subscriptionGet,
  subscriptionUpdate,
} from '../../contract/resources/subscription.ts';
import { dueDate, keepsDayOfMonth } from '../../emulator/rules/schedule.ts';
import { askOrRefuse, Failure, usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Choice } from '../../host/host.ts';
import { commandWord, neutralise } from '../../host/redaction/safe.ts';
import { askForNote } from '../../requests/ask-note.ts';
import { type Dialog, summarise, withAsking } from '../../requests/asking.ts';
import { knownWord, refuseDayWords } from '../../requests/body/build-body.ts';
import { type NamedChoice, pickOrType } from '../../requests/body/pick-or-type.ts';
import { withKnown } from '../../requests/known/lazy-ledger.ts';
import { planToBill } from '../../requests/known/named-plan.ts';
import { chooseId, planChoices } from '../../requests/known-choices.ts';
import { callNamed } from '../../requests/look-up/get-many.ts';
import type { Session } from '../../requests/session.ts';
import {
  inPlace,
  placeTakenBy,
  subscriptionCalled,
} from '../../requests/submit/moved-subscription.ts';
import { RECORD_UNPRINTED, submit } from '../../requests/submit/submit.ts';
import type { Thing } from '../../things/thing.ts';

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
    const named = await chooseId(asking, name, 'subscription', {
      by: 'reference',
      isOffered: ({ outcome }) => outcome !== 'stopped',
    });
    await refuseDayWords(asking, 'start-date', terms.startDate);
    refuseBadDate(terms.startDate);
    frequencyOf(terms);
    const changes = terms.startDate ?? terms.frequency;
    // A script that changes nothing is told so before anything is looked up.
    if ((terms.plan ?? changes) === undefined && !asking.session.options.mayAsk)
      await askForPlan(asking);
    const found = await callNamed(asking, subscriptionGet, named, subscriptionUpdate);
    const present = changes === undefined ? null : textOrNull(found.records[0]?.plan);
    const plan =
      terms.plan === undefined
        ? await askForPlan(asking, present)
        : await planToBill(asking, terms.plan);
    await moveTo(asking, found, { named, plan, terms });
  });
}

/**
 * @param present the plan that stays unless a person chooses another one; null if one is to be named
 * @throws Failure usage if gw cannot ask, and none stays
 */
async function askForPlan({ session, questions }: Dialog, present: string | null = null) {
  if (present !== null && !session.options.mayAsk) return present;
  const missing = usage(
    'flag-missing',
    'Missing: --plan.',
    'Add --plan <plan>. To see the plans, run `gw plan list`.',
    { sent: false },
  );
  return askOrRefuse(session.options, missing, async () => {
    const choices = await planChoices(session);
    const plan =
      present === null
        ? await pickOrType(questions, 'New plan', choices)
        : await questions.select('Plan:', presentFirst(present, choices?.listed ?? []));
    questions.answer('plan', plan);
    return plan;
  });
}

/** @returns the plans, the present one first; only that one if the others are not known */
function presentFirst(present: string, listed: readonly NamedChoice[]): Choice[] {
  const isPresent = ({ value, aliases }: NamedChoice) => [value, ...aliases].includes(present);
  const { value, name, hint } = listed.find(isPresent) ?? { value: present, name: present };
  const staying = { value, name, hint: [hint, 'as before'].filter(Boolean).join(', ') };
  return [staying, ...listed.filter((one) => !isPresent(one))];
}

interface Move {
  /** The reference, or another known name. */
  named: string;
  plan: string;
  terms: NewTerms;
}

/** @param found the subscription as the gateway has it */
async function moveTo(asking: Dialog, found: Reply, { named, plan, terms }: Move): Promise<void> {
  const { session } = asking;
  const [current = {}] = found.records;
  const reference = typeof current.reference === 'string' ? current.reference : named;
  const id = typeof current.id === 'string' ? current.id : reference;
  const to = terms.reference ?? newReference({ ...current, reference }, plan, terms);
  const isStopped = readFlag(current.is_active ?? null) === false;
  if (isStopped && (await isDone(session, { reference, id, plan, to }))) return;
  const startDate = terms.startDate ?? (await firstDay(asking, current, { reference, terms }));
  const body = bodyOf(current, { reference: to, plan, terms: { ...terms, startDate } });
  refuseEnded(current, reference, body);
  checkRequest(subscriptionCreate, body);
  const notes = [...billingDayNote(current, body), ...frequencyNote(current, body)];
  const stopping = isStopped ? undefined : { id, body: { is_active: false } };
  if (session.options.isDryRun) {
    await rehearseBoth(session, stopping, body);
    return sayAll(session, notes);
  }
  if (stopping) await refuseTakenReference(session, to);
  await session.gateway.confirmation.requirePlan(subscriptionCreate, { body });
  await session.gateway.admit(subscriptionUpdate);
  await noteOfStop(asking, stopping);
  await summarise(asking, subscriptionCreate, { body }, [
    ['In place of', `${reference}, on ${await planCalled(asking, current.plan)}, which stops`],
    ...notes.map((text) => ['Note', text] as const),
  ]);
  const cleared = await session.gateway.clearance(subscriptionCreate, { body });
  if (cleared.refused)
    throw await session.gateway.ledger.refusal(cleared.refused, cleared.operation, { body });
  await session.gateway.ledger.noteMove(found, to);
  if (stopping) await session.call(subscriptionUpdate, stopping).catch(throwToRepeat);
  const reply = await submit(session, subscriptionCreate, { body }, cleared).catch((error) => {
    throw error instanceof Failure ? halfway(error, reference, id) : error;
  });
  const kept = dayOf(reply?.records[0]?.end_date);
  const billed = await billedText(asking, reply?.records[0] ?? body);
  await session.notice(
    `Stopped ${reference}; ${to} takes its place${billed}.${endNote(body, kept, to)}`,
  );
  await sayAll(session, notes);
}

/** @param stopping undefined for a subscription that is stopped already */
async function rehearseBoth(session: Session, stopping: CallInput | undefined, body: JsonObject) {
  if (stopping) await session.rehearse(subscriptionUpdate, stopping);
  await session.rehearse(subscriptionCreate, { body });
}

async function sayAll(session: Session, sentences: readonly string[]): Promise<void> {
  for (const sentence of sentences) await session.notice(sentence);
}

/** @returns a sentence on a new day of the month that is billed from now on; none if it stays, or is billed by weeks */
function billingDayNote(current: JsonObject, body: JsonObject): string[] {
  const [before, now] = [current, body].map(({ start_date: start }) => dayOf(start)?.slice(8));
  const isMonthly = [current, body].every(({ frequency }) => keepsDayOfMonth(String(frequency)));
  if (before === undefined || now === undefined || before === now || !isMonthly) return [];
  return [
    `It is billed on day ${Number(now)} of the month from then on, and was on day ${Number(before)}.`,
  ];
}

/** @returns a sentence on the amount, which another frequency does not change; none on another plan */
function frequencyNote(current: JsonObject, body: JsonObject): string[] {
  const [before, now] = [current, body].map(({ frequency }) => textOrNull(frequency));
  if (current.plan !== body.plan || !before || !now || before === now) return [];
  return [
    `The amount stays that of the plan, charged ${now} from then on, and ${before} before: another amount needs another plan (--plan).`,
  ];
}

/** @returns the reference of the new one: on the same plan, its date or frequency tells it apart */
function newReference({ reference, plan: present }: JsonObject, plan: string, terms: NewTerms) {
  const isOther = terms.plan !== undefined || plan !== present;
  return `${reference}-${isOther ? plan : (terms.startDate ?? terms.frequency)}`;
}

/** @returns the name of a plan and its price, as far as this machine knows them; otherwise as the subscription names it */
async function planCalled({ host, session }: Dialog, plan: Json | undefined): Promise<string> {
  const known = await planKnown({ host, session }, plan);
  if (!known) return String(plan);
  const { who, reference, id } = known;
  return [neutralise(who ?? reference ?? id), priceOf(known)].filter(Boolean).join(', ');
}

async function planKnown({ host, session }: Pick<Dialog, 'host' | 'session'>, plan?: Json) {
  const name = textOrNull(plan);
  if (name === null) return undefined;
  const tied = await withKnown(host, session.gateway, ({ things }, scope) =>
    things.tied([name], { kinds: ['plan'], scope, limit: 2 }),
  );
  return tied?.find(({ id, reference }) => id === name || reference === name);
}

function priceOf({ amount, currency }: Pick<Thing, 'amount' | 'currency'>): string | undefined {
  return amount === null ? undefined : moneyText(amount, currency ?? undefined);
}

/** @returns for example `: 7.00 AUD Monthly from 2026-04-14` */
async function billedText(
  asking: Dialog,
  { plan, frequency, next_billing_date: next, start_date: start }: JsonObject,
): Promise<string> {
  const known = await planKnown(asking, plan);
  const first = dayOf(next) ?? dayOf(start);
  const words = [known && priceOf(known), textOrNull(frequency), first && `from ${first}`];
  const text = words.filter(Boolean).join(' ');
  return text === '' ? '' : `: ${text}`;
}

/** The old one stops after the move is noted, so a missing note is to be refused before. */
async function noteOfStop(asking: Dialog, stopping: CallInput | undefined): Promise<void> {
  if (!stopping) return;
  await askForNote(asking, subscriptionUpdate, stopping);
  const { gateway, profile } = asking.session;
  checkNote(profile, { operation: subscriptionUpdate, input: stopping }, gateway.ledger.note);
}

/** @param kept the end in the answer @returns a line about an end that the gateway did not take, or no text */
function endNote({ end_date: end }: JsonObject, kept: string | undefined, to: string): string {
  if (end === undefined || end === kept) return '';
  return `\nNote: the gateway did not take the end, ${end}. Stop ${to} then.`;
}

/** Stopping twice is harmless, so after a lost answer the whole move may be tried again. */
function throwToRepeat(error: unknown): never {
  if (!(error instanceof Failure) || error.kind !== 'unknown') throw error;
  throw error.with({ next: 'Run the same command again: it finds out, and goes on from there.' });
}

interface Stopped extends Pick<Move, 'plan'> {
  reference: string;
  id: string;
  /** Reference of the new subscription. */
  to: string;
}

/**
 * The new subscription bills from the day the old one was due. A stopped one bills nobody (section 3.2), so a move would
 * start charges that the customer does not expect. Only a move that stopped it, as the ledger says, is finished.
 * @returns true if the move is done already; false if it is to be finished
 * @throws Failure usage if it was stopped otherwise or moved elsewhere, or guard if the new one may exist
 */
async function isDone(session: Session, stopped: Stopped): Promise<boolean> {
  const { reference, id, plan, to } = stopped;
  const begun = await placeTakenBy(session, id);
  for (const name of new Set([begun ?? to, to])) {
    const there = await inPlace(session, name);
    if (!there) continue;
    if (name !== begun || begun !== to || readFlag(there.records[0]?.is_active ?? null) === false)
      throw usage(
        'subscription-stopped',
        `${reference} is stopped, and there is a subscription ${name}, which may have taken its place.`,
        `Nothing was changed. Look at it with \`gw subscription get ${commandWord(name)}\`. To bill on another plan, move or resume that one.`,
      );
    await session.printReply(there);
    await session.endOutput();
    await session.notice(`${reference} was stopped before; ${to} takes its place.`);
    return true;
  }
  if (begun !== undefined) return false;
  throw usage(
    'subscription-stopped',
    `${reference} is stopped, so a move would bill its customer again.`,
    `Nothing was changed. To bill the customer on ${plan}, run \`gw subscription create\`. To bill as before, run \`gw subscription resume ${commandWord(id)}\`.`,
  );
}

/**
 * A start on the last day of a short month would bill on that day for good. A start in the past is not defined
 * (section 2.7). So a person chooses.
 * @returns the day that the old subscription is next due, or the chosen one
 * @throws Failure usage if gw cannot ask
 */
async function firstDay(
  { host, session, questions }: Dialog,
  current: JsonObject,
  { reference, terms }: { reference: string; terms: NewTerms },
): Promise<string | undefined> {
  const { start_date, next_billing_date: due, frequency } = current;
  const [start, next] = [dayOf(start_date), dayOf(due)];
  if (!next) return textOrNull(due) ?? undefined;
  const old = String(frequency);
  const isStopped = readFlag(current.is_active ?? null) === false;
  const today = (await gatewayTime(host, session.profile)).toISOString();
  if (isStopped && next < today.slice(0, 10))
    throw usage(
      'start-date-past',
      `${reference} was next due on ${next}, which has passed.`,
      'Nothing was changed. Add --start-date <date>, the first day to bill.',
    );
  const frequencies = [old, frequencyOf(terms) ?? old];
  if (!start || start.slice(8) <= next.slice(8) || !frequencies.every(keepsDayOfMonth)) return next;
  const step = FREQUENCIES.find((known) => known === old) ?? 'Monthly';
  let kept = start;
  for (let n = 1; kept <= next || kept.slice(8) !== start.slice(8); n++)
    kept = dueDate(start, step, n);
  const [day, lost] = [start, next].map((date) => Number(date.slice(8)));
  const unsaid = usage(
    'billing-day-changes',
    `${reference} is billed on day ${day} of the month. From ${next} on, the new one would be billed on day ${lost} for good.`,
    `Nothing was changed. Add --start-date ${kept} to keep day ${day}: nothing is billed before. Or add --start-date ${next}.`,
  );
  const days = [
    { value: kept, name: `${kept}`, hint: `day ${day} as before; nothing is billed until then` },
    { value: next, name: `${next}`, hint: `and then always on day ${lost}` },
  ];
  const chosen = await askOrRefuse(session.options, unsaid, () =>
    questions.select('First day billed:', days),
  );
  questions.answer('start-date', chosen);
  return chosen;
}

/** A taken reference would fail the second step after the first is done. */
async function refuseTakenReference(session: Session, reference: string): Promise<void> {
  if (!(await subscriptionCalled(session, reference))) return;
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

/** A gateway would refuse, or never bill, a subscription that ends before it starts. */
function refuseEnded(
  { next_billing_date: due }: JsonObject,
  reference: string,
  { start_date: start = null, end_date: end = null }: JsonObject,
): void {
  const isOver = start === null ? textOrNull(due) === null : String(start) > String(end);
  if (end === null || !isOver) return;
  throw usage(
    'subscription-ended',
    `${reference} ends on ${String(end)}, so the new one would never be billed.`,
    'Nothing was changed. To bill on another plan all the same, run `gw subscription create`.',
  );
}

function frequencyOf({ frequency }: Partial<NewTerms>): string | undefined {
  const { words } = subscriptionCreate.body.fields.frequency;
  return frequency === undefined ? undefined : knownWord('frequency', frequency, words);
}

const dayOf = (date: unknown) => dateOrNull(date)?.slice(0, 10);

/** @param reference of the new subscription */
function bodyOf(
  current: JsonObject,
  { reference, plan, terms }: { reference: string; plan: string; terms: Partial<NewTerms> },
): JsonObject {
  const { startDate } = terms;
  const end = dayOf(current.end_date);
  return {
    customer: current.customer ?? null,
    plan,
    frequency: frequencyOf(terms) ?? current.frequency ?? null,
    ...(startDate === undefined ? {} : { start_date: startDate }),
    ...(end === undefined ? {} : { end_date: end }),
    reference,
    is_active: true,
  };
}

function halfway(error: Failure, reference: string, id: string): Failure {
  if (error.code === RECORD_UNPRINTED)
    return error.with({ message: `${reference} was stopped. ${error.message}` });
  const isUnknown = error.kind === 'unknown';
  const state = isUnknown ? 'may or may not have been created' : 'was not created';
  // Two subscriptions would charge twice, so nobody is told to resume the old one while the new one may exist.
  const next = isUnknown
    ? `${error.next} Then run the same command again: it goes on from there.`
    : `To finish the move, run the same command again. To bill as before instead, run \`gw subscription resume ${commandWord(id)}\`.`;
  return error.with({
    message: `${reference} was stopped, but the new one ${state}. ${error.message}`,
    next,
    operation: 'subscription move',
    // There is nothing to find out about a request that certainly failed.
    entry: isUnknown ? error.entry : undefined,
    cause: error,
  });
}
