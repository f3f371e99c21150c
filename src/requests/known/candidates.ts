/**
 * Judges which of the records that a text names is meant, and lists those that a person chooses from.
 *
 * Tests: test/unit/requests/known/resolve-name.test.ts, test/system/named-records.test.ts
 */
import { moneyText } from '../../contract/money.ts';
import { Failure, usage } from '../../failure.ts';
import type { Thing } from '../../things/thing.ts';
import { isTry, type NameMatch, type NameRule } from './resolve-name.ts';

/** The most records that a message names. */
const MAX_NAMED = 10;

/**
 * @param called how each is called
 * @returns for example `customer 071-C-A1 (Ada Byron, ada@example.com); purchase 071-P-B2 (declined)`
 */
export function listOf(
  candidates: readonly NameMatch[],
  called = ({ kind, id }: NameMatch) => `${wordOf(kind)} ${id}`,
): string {
  const named = candidates.slice(0, MAX_NAMED).map((one) => {
    const hint = hintOf(one);
    return `${called(one)}${hint === '' ? '' : ` (${hint})`}`;
  });
  const left = candidates.length - named.length;
  return `${named.join('; ')}${left > 0 ? `; and ${left} more` : ''}`;
}

/**
 * @returns the words by which a person recognises a record, and tells it from another of the same person: name, reference,
 *   email, price or amount, last four digits, state; may be empty
 */
export function hintOf({ kind, id, thing }: NameMatch): string {
  const { who, email, reference, told } = thing;
  // A charge that names a customer has the same person, and its own amount, card and state.
  const own = thing.kind === kind ? ownFactsOf(thing) : undefined;
  const called = own && reference !== id ? reference : null;
  const mark = told === 'heard' ? 'unverified' : null;
  const parts = [who, called, email, own?.money, own?.card, own?.state, mark];
  return parts.filter((one) => one !== null && one !== undefined).join(', ');
}

/** @returns the amount or price, the card and the state of a thing, as a sentence names them; null for what is not known */
export function ownFactsOf({ amount, currency, lastFour, outcome, endsOn }: Thing) {
  // Without the day it is not known whether it has ended, and the date says so.
  const isLimited = outcome === 'active' && endsOn !== null;
  return {
    money: amount === null ? null : moneyText(amount, currency ?? undefined),
    card: lastFour === null ? null : `ending in ${lastFour}`,
    state: isLimited ? `active until ${endsOn}` : outcome,
  };
}

/** @returns the word for a kind in a sentence */
export function wordOf(kind: NameMatch['kind']): string {
  return kind === 'request' ? 'entry' : kind;
}

/**
 * @param named the records, or their list
 * @param kind usage if the gateway was asked nothing
 */
export function ambiguous(
  text: string,
  named: readonly NameMatch[] | string,
  kind: 'usage' | 'notFound' = 'usage',
): Failure {
  const list = typeof named === 'string' ? named : listOf(named);
  return new Failure(
    'name-ambiguous',
    `${JSON.stringify(text)} names several records: ${list}.`,
    'Give the id of one of them.',
    { kind },
  );
}

/**
 * @returns the record that is meant, or the records of one story; none if there is no match
 * @throws Failure usage if there are several, or a person's name is all and not enough
 */
export function meantBy(
  text: string,
  matches: readonly NameMatch[],
  { person, several }: Pick<NameRule, 'person' | 'several'>,
): readonly NameMatch[] {
  const [first] = matches;
  if (matches.length > 1 && !(several === 'story' && isOneStory(matches)))
    throw ambiguous(text, matches);
  if (first?.by === 'name' && person === 'refused') throw byNameAlone(text, first);
  return matches;
}

/** Attempts to pay one invoice share its reference, and payments with a card its token. */
function isOneStory(matches: readonly NameMatch[]): boolean {
  const isAttempt = ({ kind, by }: NameMatch) => by === 'reference' && isTry(kind);
  const isPayment = ({ kind, by }: NameMatch) => by === 'token' && kind === 'purchase';
  return matches.every(isAttempt) || matches.every(isPayment);
}

function byNameAlone(text: string, { kind, id }: NameMatch): Failure {
  return usage(
    'name-not-enough',
    `${JSON.stringify(text)} is the name of ${wordOf(kind)} ${id}, and others may have the same.`,
    `If you mean it, give its id: ${id}.`,
  );
}
