/**
 * Offers the records that a text may mean: several of one name, and those near a text that names none, of whose names it
 * is a part, or from whose names it differs by a slip. A person picks one of them. A script is given none, because it may
 * send money to it; but whoever reads what happened to the only record that is near, is told so. An email is that of one
 * person: unless one letter alone is wrong, whoever else is near is only offered.
 */
import { oneLetterOff } from '../../base/one-letter-off.ts';
import { commandText } from '../../base/shell.ts';
import { ENVIRONMENT_PROFILE } from '../../client/profiles/profile.ts';
import { explainCancellation, Failure } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { note } from '../../host/note.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { hintOf, listOf, meantBy, wordOf } from '../../requests/known/candidates.ts';
import { isCalled } from '../../requests/known/near-names.ts';
import {
  matchOf,
  type NameMatch,
  type NameRule,
  resolveName,
  TO_TELL,
} from '../../requests/known/resolve-name.ts';
import { fold } from '../../things/normalise.ts';
import type { Owner } from '../../things/owner.ts';
import type { Thing } from '../../things/thing.ts';
import { formatOf, type OutputOptions } from '../../view/print-records.ts';
import { searchAsMeant } from './readings.ts';
import type { SearchDesk } from './search.ts';

/** The most records to pick from; a search shows more. */
const MOST_OFFERED = 20;

export interface NearDesk extends SearchDesk {
  host: SearchDesk['host'] & Pick<Host, 'prompts' | 'stdout'>;
  /** The account; undefined for all. */
  scope: Owner | undefined;
  mayAsk: boolean;
  /** The words after `gw` before the name of a record. */
  words: readonly string[];
  /** Set where what is known of a record is told: how. */
  tells?: OutputOptions | undefined;
}

/**
 * @returns the record that a person picked, or the only one there is for a reader; undefined if none is near
 * @throws Failure usage with the list where nobody can pick
 */
export async function pickNear(
  { mayAsk, tells, words, ...desk }: NearDesk,
  text: string,
): Promise<NameMatch | undefined> {
  const { host, scope } = desk;
  const query = { text, scope, limit: MOST_OFFERED };
  const { things, note: reading, isGuess } = await searchAsMeant(desk, query, undefined);
  const all = withoutCharges(things);
  const cards = all.filter(({ lastFour }) => lastFour === text);
  const called = all.filter((one) => isCalled(one, text));
  const best = [...new Set([...cards, ...called])];
  const found = (best.length > 0 ? best : all).map((one) =>
    matchOf(one.kind as NameMatch['kind'], one, 'near'),
  );
  const near = found.length > 0 || !scope ? found : await ofEvent(desk, text, scope);
  const [only] = near;
  if (!only) return undefined;
  const isOfCards = cards.length === near.length;
  const asked = JSON.stringify(neutralise(text));
  const read = [...new Set(things.flatMap(({ readAs }) => readAs ?? []))].join(', ');
  const isStranger = isOfAnother(text, only.thing);
  const guess = isStranger ? `Nothing here has ${asked}.` : `${asked} was read as ${read}.`;
  const what = isGuess ? guess : `${asked} ${wordsFor(only, isOfCards)} ${reading}`.trimEnd();
  const isRead = tells && !tells.jq && !tells.fields && formatOf(tells) !== 'id';
  // An amount is that of anybody.
  const isOfMoney = isGuess && /^\d+$/.test(text);
  if (
    near.length === 1 &&
    !isStranger &&
    !isOfMoney &&
    (isRead || (mayAsk && host.stdout.isTerminal))
  ) {
    await note(host.stderr, `${what} Shown is ${listOf(near)}.`);
    return only;
  }
  if (!mayAsk)
    throw new Failure(
      'name-ambiguous',
      what,
      `Give the one that you mean: ${listOf(near, ({ id }) => `\`${commandOn(words, id, desk.us)}\``)}.`,
      { kind: 'usage' },
    );
  await note(host.stderr, what);
  const [picked] = await pickAmong(host, near);
  return picked;
}

/**
 * @returns the records that the text means by the rule (`meantBy`); of several, the one that a person picks
 * @throws Failure usage with the list where nobody can pick
 */
export async function pickNamed(
  { host, mayAsk }: Pick<NearDesk, 'host' | 'mayAsk'>,
  text: string,
  matches: readonly NameMatch[],
  rule: Pick<NameRule, 'person' | 'several'>,
): Promise<readonly NameMatch[]> {
  try {
    return meantBy(text, matches, rule);
  } catch (error) {
    if (!mayAsk || !(error instanceof Failure) || error.code !== 'name-ambiguous') throw error;
    await note(host.stderr, error.message);
    return pickAmong(host, matches);
  }
}

async function pickAmong(
  { prompts }: Pick<NearDesk['host'], 'prompts'>,
  matches: readonly NameMatch[],
): Promise<NameMatch[]> {
  const choices = matches.slice(0, MOST_OFFERED).map((match, place) => ({
    value: String(place),
    name: `${wordOf(match.kind)} ${match.id}`,
    hint: hintOf(match),
  }));
  const place = await explainCancellation('Nothing was looked up.', () =>
    prompts.select('Which one?', choices),
  );
  return matches.slice(Number(place), Number(place) + 1);
}

/** @returns whether a text has an email that no name of the thing is, nor differs from by one letter */
function isOfAnother(text: string, { email, reference, id }: Thing): boolean {
  const asked = fold(text)
    .split(/[\s<>:;,"']+/)
    .find((word) => word.includes('@'));
  if (asked === undefined) return false;
  const names = [email, reference, id].map((name) => fold(name ?? ''));
  return ![asked, ...oneLetterOff(asked)].some((one) => names.includes(one));
}

function commandOn(words: readonly string[], id: string, { of }: NearDesk['us']): string {
  const isNamed = of?.name !== ENVIRONMENT_PROFILE;
  return commandText([...words, id], [['profile', isNamed ? of?.name : undefined]]) ?? id;
}

/** A customer or a subscription stands for what was charged to it; an event is no record. */
function withoutCharges(things: readonly Thing[]): Thing[] {
  const names = (owner: 'customer' | 'subscription') =>
    things.filter(({ kind }) => kind === owner).map((one) => one[owner] ?? one.id);
  const [customers, subscriptions] = [names('customer'), names('subscription')];
  const isOfOther = ({ kind, customer, subscription }: Thing) =>
    (kind !== 'customer' && customers.includes(customer ?? '')) ||
    (kind === 'purchase' && subscriptions.includes(subscription ?? ''));
  return things.filter((one) => one.kind !== 'event' && !isOfOther(one));
}

/** @returns the subject of the event with this number, if it is one */
function ofEvent({ ledger }: SearchDesk, text: string, scope: Owner): Promise<NameMatch[]> {
  return resolveName(ledger, `#${text}`, scope, TO_TELL);
}

/** @returns what a text is that is no name, in a sentence */
function wordsFor({ by }: NameMatch, isOfCards: boolean): string {
  if (by === 'event') return 'is the number of an event.';
  return isOfCards ? 'are the last digits of a card.' : "is no record's whole name.";
}
