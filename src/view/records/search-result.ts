/** The view of a thing: what it is, its time, outcome, amount, owner and message. */
import type { JsonObject } from '../../base/json.ts';
import { recordedExpiry } from '../../contract/expiry.ts';
import { type Outcome, saysVoid } from '../../contract/normal.ts';
import { kindOfId } from '../../contract/record.ts';
import { overOn } from '../../things/subscription-state.ts';
import type { Thing } from '../../things/thing.ts';
import { shownOutcome } from '../../things/what-counts.ts';
import {
  amountColumn,
  type Column,
  cuttable,
  extra,
  fieldColumn,
  formatInstant,
  type OwnView,
  operatorColumn,
  ownView,
  shortId,
  utcText,
  VOIDED,
} from '../columns.ts';
import { joinTexts } from '../panels/words.ts';
import { reasonBeside } from '../reason.ts';
import { amountText, textOf } from '../values.ts';

/** A thing that was found by another reading of the text than the text itself. */
export interface FoundThing extends Thing {
  readAs?: string;
  /** The sum of the refunds of a purchase, in minor units; absent if that is nothing. */
  refunded?: number;
  /** The name of the plan of a subscription or of its charge; absent if it is not known. */
  planName?: string;
  /** The last valid month of the card of a customer, or of a card, `YYYY-MM`; null if it is not known. */
  cardExpiry?: string | null;
}

/** The fields that a source does not have as a record shows them. */
type Computed = ReturnType<typeof sourcesOf> &
  Pick<Thing, 'at' | 'outcome'> & {
    given_up?: true;
    card_expiry?: string | null;
    stopped_on?: string | null;
  };

export interface ThingStyle {
  /** The current year, which is left out: `2026`. */
  year: string;
  /** The things to show. */
  things: readonly FoundThing[];
  /** The name of the operator who is looking. */
  self: string;
}

export function thingView(style: ThingStyle): OwnView<FoundThing> {
  const when: Column = fieldColumn('at', {
    header: 'when',
    shorten: (text, { clockAt }) => shortTime(formatInstant(text, clockAt), style),
  });
  const { things } = style;
  const operators = things.map(({ operator }) => operator);
  const hasOperators = operators.some((operator) => operator !== null);
  const hasProfiles = new Set(things.map(({ profile }) => profile)).size > 1;
  const areHolders =
    things.length > 0 && things.every(({ cardExpiry }) => cardExpiry !== undefined);
  return ownView<FoundThing, Computed>({
    name: 'result',
    plural: 'results',
    // biome-ignore format: names that belong together stand in one line
    mayHave: [
      'kind', 'id', 'at', 'account', 'profile', 'environment', 'host', 'outcome',
      'amount', 'currency', 'reference', 'who', 'email', 'message', 'label',
      'purchase', 'customer', 'subscription', 'plan', 'note', 'seen_at',
      'last_four', 'token', 'operator', 'sources', 'hearsay', 'card_expiry',
      'read_as', 'refunded', 'given_up', 'stopped_on', 'plan_name',
    ],
    nested: WITH_SOURCES,
    columns: [
      fieldColumn('kind', things.every(tellsItsKind) ? extra : {}),
      when,
      { header: 'outcome', text: outcomeText, tinted: true },
      amountColumn,
      { header: 'who', text: ({ who, email }) => textOf(who ?? email), ...cuttable },
      { header: 'what', text: whatText, ...cuttable },
      { header: 'id', text: ({ id }) => textOf(id), shorten: shortId },
      ...(hasProfiles ? [fieldColumn('profile')] : []),
      fieldColumn('last_four', { header: 'card', ...extra }),
      // The line above the results says it too.
      ...(things.some(({ readAs }) => readAs) ? [fieldColumn('read_as', extra)] : []),
      ...(areHolders ? [fieldColumn('card_expiry', { header: 'expires' })] : []),
      // Who was charged, and for what, is more important.
      ...(hasOperators ? [{ ...operatorColumn(operators, style.self), ...extra }] : []),
    ],
    id: lookedUpAs,
    outcome: tintOf,
    computed: (thing) => ({
      ...sourcesOf(thing),
      at: utcText(thing.at),
      outcome: shownOutcome(thing.outcome),
      ...(thing.outcome === 'abandoned' && { given_up: true }),
      ...(thing.cardExpiry && { card_expiry: recordedExpiry(thing.cardExpiry) }),
      ...(thing.kind === 'subscription' && { stopped_on: overOn(thing) }),
    }),
  });
}

/** The parts of `sourcesOf`. */
export const WITH_SOURCES = { sources: ['record', 'requests', 'events'] };

/** @returns the sources of a thing in their JSON form */
export function sourcesOf({ told, sources: { record, requests, events } }: Thing) {
  const seenAt = record?.seenAt ?? null;
  const sources = { record: seenAt, requests: Object.keys(requests), events: [...events] };
  return { sources, hearsay: told === 'heard' };
}

/**
 * @param record of a thing
 * @returns the argument for `gw get`: the record's own id, or the id of the record in a request or event; without one,
 *   the request's own
 */
export function lookedUpAs(record: JsonObject): string | undefined {
  const { kind, id, purchase, subscription, customer } = record;
  if (kind === 'request') return textOf(purchase) ?? textOf(id);
  if (kind === 'event') return textOf(purchase) ?? textOf(subscription) ?? textOf(customer);
  return textOf(id);
}

/** Whether the id alone tells the kind; requests and events say their kind themselves. */
function tellsItsKind({ kind, id }: Thing): boolean {
  return kind === 'request' || kind === 'event' || kindOfId(id) === kind;
}

/** @returns day and minute of a time in the current year, or the day of a date in it; otherwise the date */
function shortTime(time: string, { year }: ThingStyle): string {
  const isThisYear = time.startsWith(`${year}-`);
  return isThisYear ? time.slice(year.length + 1) : time.slice(0, '2026-03-24'.length);
}

const BAD = new Set([
  'declined',
  'unclear',
  'rejected',
  'unknown',
  'sending',
  'expired',
  'bad',
  'contradicted',
]);

/** Money may have moved. */
const UNSURE = new Set(['unclear', 'unknown', 'sending']);

/** Problems are in capitals, so they stand out without colour too. */
function outcomeText({ outcome, message, hearsay }: JsonObject): string | undefined {
  if (saysVoid(message)) return VOIDED;
  const text = textOf(outcome);
  const word = text !== undefined && BAD.has(text) ? text.toUpperCase() : text;
  return joinTexts([word, hearsay === true && 'unverified']) || undefined;
}

function tintOf({ outcome }: JsonObject): Outcome {
  const text = textOf(outcome) ?? '';
  if (text === 'approved' || text === 'done' || text === 'active') return 'approved';
  return BAD.has(text) && !UNSURE.has(text) ? 'declined' : 'unclear';
}

/** The last charge of a subscription says nothing about one that is over. */
function overText({ outcome, stopped_on: day }: JsonObject): string | undefined {
  return typeof day === 'string' ? `${textOf(outcome)} on ${day}` : undefined;
}

function whatText(record: JsonObject): string | undefined {
  const { kind, reference, label, message, outcome, who, email, refunded, currency } = record;
  const isOfCard = kind === 'customer' && (outcome === 'expiring' || outcome === 'expired');
  const reason = saysVoid(message) ? '' : reasonBeside(textOf(outcome) ?? '', textOf(message));
  const said = joinTexts([reason, record.given_up === true && 'given up']);
  const isBad = BAD.has(textOf(outcome) ?? '');
  const parts = [
    // Whoever asks about a failure wants the reason, and the rest of the row is cut first.
    isBad ? said : undefined,
    textOf(reference),
    typeof refunded === 'number'
      ? `refunded ${amountText({ amount: refunded, currency: currency ?? null })}`
      : undefined,
    kind === 'customer' && textOf(who) !== undefined ? textOf(email) : undefined,
    isOfCard ? 'card' : undefined,
    textOf(record.plan_name),
    textOf(label),
    isBad ? undefined : (overText(record) ?? said),
  ];
  return parts.filter((part) => part !== undefined && part !== '').join(', ') || undefined;
}
