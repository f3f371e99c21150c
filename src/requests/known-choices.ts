/** Choices for a field: plans as the gateway lists them, other records as this machine has seen them. */

import type { Json, JsonObject } from '../base/json.ts';
import { capitalised, textOrNull } from '../base/text.ts';
import { checkedId, checkOne } from '../cli/flags/flag.ts';
import { gatewayTime } from '../client/gateway-time.ts';
import { moneyText } from '../contract/money.ts';
import type { RecordKind } from '../contract/record.ts';
import { planList } from '../contract/resources/plan.ts';
import { askOrRefuse, attempt, type Failure, usage } from '../failure.ts';
import { leftOf } from '../journal/balance.ts';
import type { Ledger } from '../journal/ledger.ts';
import { subscriptionState } from '../things/subscription-state.ts';
import type { Thing } from '../things/thing.ts';
import type { Dialog } from './asking.ts';
import { type KnownRecords, type NamedChoice, pickOrType } from './body/pick-or-type.ts';
import { withKnown } from './known/lazy-ledger.ts';
import type { CommandSession } from './known/meant-record.ts';
import { planNames } from './known/plan-names.ts';
import { scheduleOf } from './known/subscription-schedule.ts';
import { sameCommand } from './same-command.ts';
import type { Session } from './session.ts';

/** The most records that are offered by another name than their id. */
const MOST_KNOWN = 200;
const UNVERIFIED = 'from an unverified webhook';

/** The rules by which a record is picked. */
interface Picking {
  /** The field that names the picked record; `id` by default. */
  by?: 'id' | 'reference';
  /** Whether a known thing is one that the command is for; all are by default. */
  isOffered?: (thing: Thing) => boolean;
}

/**
 * The id of a record to change: the argument, or a pick from the known records.
 * @param id as it was given, if it was
 * @throws Failure usage if it is missing and gw cannot ask
 */
export async function chooseId(
  desk: Pick<Dialog, 'host' | 'session' | 'questions' | 'words' | 'typed'>,
  id: string | undefined,
  kind: RecordKind,
  picking: Picking = {},
): Promise<string> {
  const { words } = desk;
  if (id !== undefined) {
    const { profile } = desk.session;
    const said = { words: words.filter((word) => word !== id), typed: desk.typed, profile };
    const each = sameCommand({ ...said, answered: [], meant: new Map(), isOnStdin: false });
    checkOne(
      id,
      kind,
      each && `Give one ${kind}. For those of a file, a line each: \`xargs -n1 ${each} < FILE\`.`,
    );
    return checkedId(id);
  }
  const { session, questions } = desk;
  return askOrRefuse(session.options, missingId(words, kind), async () => {
    const known =
      kind === 'plan' ? await planChoices(session, 'id') : await knownChoices(desk, kind, picking);
    const picked = await pickOrType(
      questions,
      capitalised(kind),
      known,
      ` (its ${picking.by ?? 'id'})`,
    );
    questions.args.push(picked);
    return picked;
  });
}

/**
 * @param words of the command, without the id
 * @returns the failure for an id that was left out where gw cannot ask for it
 */
export function missingId(words: readonly string[], kind: RecordKind): Failure {
  const next = `Write \`gw ${words.join(' ')} ID\`. \`gw ${kind} list\` shows the ids.`;
  return usage('argument-missing', 'Missing: ID.', next, { sent: false });
}

/**
 * @param name of a field in the interface
 * @returns the records that the field probably names; undefined if it names none, or none is known
 */
export async function choicesOf(
  desk: CommandSession,
  name: string,
): Promise<KnownRecords | undefined> {
  if (name === 'plan') return planChoices(desk.session);
  if (name === 'transaction_id') return refundableChoices(desk);
  return name === 'customer' ? knownChoices(desk, 'customer') : undefined;
}

/** @returns the plans of the gateway; undefined if it cannot be asked */
export async function planChoices(
  session: Session,
  by: 'id' | 'reference' = 'reference',
): Promise<KnownRecords | undefined> {
  // A plan can still be typed.
  const plans = await attempt(session.call(planList, { query: {} }));
  return (
    plans && {
      title: 'Plans of the gateway:',
      listed: plans.records.flatMap((plan) => planChoice(plan, by)),
      more: 'More plans: `gw plan list`.',
    }
  );
}

/** @returns the things of a kind that are known here for the account, newest first; stopped ones last, none deleted */
export async function knownChoices(
  desk: CommandSession,
  kind: RecordKind,
  { by = 'id', isOffered = () => true }: Picking = {},
): Promise<KnownRecords> {
  const listed = await choicesAmong(desk, kind, async (known, things) => {
    const there = things
      .filter((thing) => thing.outcome !== 'deleted' && isOffered(thing))
      .toSorted((one, other) => Number(isStopped(one)) - Number(isStopped(other)));
    const planOf = await planNames(known.things, kind === 'subscription' ? there : []);
    const { host, session } = desk;
    const today = (await gatewayTime(host, session.profile)).toISOString().slice(0, 10);
    return there.map((thing) =>
      choiceOfThing(thing, by, [planOf(thing), nextBilling(thing, today)]),
    );
  });
  return {
    title: `${capitalised(kind)}s known here, newest first:`,
    listed: [...new Map(listed.map((choice) => [choice.value, choice])).values()],
    more: `More ${kind}s: \`gw ${kind} list\`.`,
  };
}

/**
 * @returns the approved purchases that are known here for the account, charges of subscriptions too, each with what is
 *   left of it. Only an amount that the gateway's record stated counts as known; a webhook's is shown as such.
 */
export async function refundableChoices(desk: CommandSession): Promise<KnownRecords> {
  const { session } = desk;
  const listed = await choicesAmong(desk, 'purchase', async (_, things) => {
    const approved = things.filter(({ outcome }) => outcome === 'approved');
    const balances = await session.gateway.ledger.balances(approved.map(({ id }) => id));
    return approved.flatMap((thing) => {
      const balance = balances.get(thing.id);
      const left = balance && leftOf(balance);
      const isOffered = left !== 0 || !session.options.refusesOverRefunds;
      return isOffered ? [refundableChoice(thing, left)] : [];
    });
  });
  return {
    title: 'Purchases that can be refunded, newest first:',
    listed,
    more: 'More purchases: `gw purchase list`.',
  };
}

/** @param left in minor units; undefined if no record of the gateway states what was paid */
function refundableChoice(
  { id, amount, currency, who, lastFour, at, reference, label, told }: Thing,
  left: number | undefined,
): NamedChoice {
  const money = left ?? amount;
  const parts = [
    money !== null &&
      `${moneyText(money, currency ?? undefined)} ${left === undefined ? 'charged' : 'left'}`,
    who,
    lastFour && `card ending ${lastFour}`,
    at.slice(0, 'YYYY-MM-DD'.length),
    reference,
    told === 'heard' && UNVERIFIED,
  ];
  // All charges of a subscription have its reference.
  const isNamed = reference !== null && label !== 'Recurring';
  const aliases = isNamed ? [reference] : [];
  return { value: id, name: id, hint: parts.filter(Boolean).join(', '), aliases };
}

function isStopped({ outcome }: Thing): boolean {
  return outcome === 'stopped';
}

/** @returns what `read` makes of the newest things of a kind; empty if nothing is kept */
async function choicesAmong(
  { host, session }: CommandSession,
  kind: RecordKind,
  read: (known: Pick<Ledger, 'things'>, things: readonly Thing[]) => Promise<NamedChoice[]>,
): Promise<NamedChoice[]> {
  const choices = withKnown(host, session.gateway, async (known, scope) => {
    const things = await known.things.search({ kinds: [kind], scope, limit: MOST_KNOWN });
    // A pick that rests on hearsay is proven as a typed name is.
    for (const { told, id } of things) if (told === 'heard') session.offeredOnHearsay.add(id);
    return read(known, things);
  });
  return (await choices) ?? [];
}

/** @returns when a subscription is billed next, by the latest news */
function nextBilling(thing: Thing, today: string): string | undefined {
  if (thing.kind !== 'subscription') return undefined;
  const { next, end } = scheduleOf(thing, today);
  const isActive = thing.outcome === null ? null : thing.outcome === 'active';
  const state = subscriptionState({ isActive, end }, today);
  if (state === 'stopped' || state === 'ended') return state;
  return next === null ? undefined : `next ${next}`;
}

/** @returns the thing with the words by which a person recognises it */
function choiceOfThing(
  thing: Thing,
  by: 'id' | 'reference',
  [plan, next]: readonly (string | undefined)[],
): NamedChoice {
  const { kind, id, reference, who, email, amount, currency, lastFour, at, told } = thing;
  const value = (by === 'reference' ? reference : null) ?? id;
  const money = amount === null ? null : moneyText(amount, currency ?? undefined);
  const isMoney = kind === 'purchase' || kind === 'refund';
  const parts = [
    isMoney ? money : null,
    who,
    kind === 'customer' ? email : null,
    plan,
    isMoney ? at.slice(0, 'YYYY-MM-DD'.length) : money,
    kind === 'card' && lastFour ? `ending ${lastFour}` : null,
    next,
    reference === value ? null : reference,
    told === 'heard' && UNVERIFIED,
  ];
  const hint = parts.filter(Boolean).join(', ');
  const person = kind === 'customer' || kind === 'subscription' ? who : null;
  const aliases = [id, reference, email, person].filter((name) => name !== null);
  return { value, name: value, aliases, ...(hint === '' ? {} : { hint }) };
}

function planChoice(record: JsonObject, by: 'id' | 'reference'): NamedChoice[] {
  const value = record[by] ?? record.id;
  if (typeof value !== 'string') return [];
  const hint = hintOf(record, value);
  const aliases = [record.id, record.reference, record.email].filter(
    (one) => typeof one === 'string',
  );
  return [{ value, name: value, aliases, ...(hint === '' ? {} : { hint }) }];
}

/** @returns the words by which a person recognises a plan */
function hintOf({ name, amount, currency, reference }: JsonObject, value: string): string {
  const text = (one: Json | undefined) => (typeof one === 'string' && one !== value ? one : '');
  const money =
    typeof amount === 'number' ? moneyText(amount, textOrNull(currency) ?? undefined) : '';
  return [text(name), money, text(reference)].filter(Boolean).join(', ');
}
