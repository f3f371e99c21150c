/**
 * Offers the records that a text may mean: several of one name, and those near a text that names none, of whose names it
 * is a part, or from whose names it differs by a slip. A person picks one of them. A script is given none, because it may
 * send money to it; but whoever reads what happened to the only record that is near, is told so.
 */
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
  /** Set where what is known of a record is told: how. */
  tells?: OutputOptions | undefined;
}

/**
 * @returns the record that a person picked, or the only one there is for a reader; undefined if none is near
 * @throws Failure usage with the list where nobody can pick
 */
export async function pickNear(
  { mayAsk, tells, ...desk }: NearDesk,
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
  const what = isGuess
    ? `${asked} was read as ${read}.`
    : `${asked} ${wordsFor(only, isOfCards)} ${reading}`.trimEnd();
  const isRead = tells && !tells.jq && !tells.fields && formatOf(tells) !== 'id';
  if (near.length === 1 && (isRead || (mayAsk && host.stdout.isTerminal))) {
    await note(host.stderr, `${what} Shown is ${listOf(near)}.`);
    return only;
  }
  if (!mayAsk)
    throw new Failure(
      'name-ambiguous',
      `${what} Near it: ${listOf(near)}.`,
      'Give the id of the one that you mean.',
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
