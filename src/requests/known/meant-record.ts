/**
 * Decides which record a name means where the name is not enough: a person at a terminal is shown who it is and says so.
 * Elsewhere the command is refused, and printed whole with the id.
 *
 * Tests: test/system/named-records.test.ts, test/unit/requests/asking.test.ts
 */
import { capitalised } from '../../base/text.ts';
import type { FlagValues } from '../../cli/flags/flag.ts';
import type { Operation } from '../../contract/operation.ts';
import { cancellation, Failure } from '../../failure.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import type { Questions } from '../questions.ts';
import { correctedCommand } from '../same-command.ts';
import type { Session } from '../session.ts';
import { hintOf, meantBy, ownFactsOf } from './candidates.ts';
import { withKnown } from './lazy-ledger.ts';
import type { KnownHost } from './open-ledger.ts';
import { planNames } from './plan-names.ts';
import {
  type NameMatch,
  type NameRule,
  resolveName,
  TO_CHANGE,
  TO_LOOK_UP,
} from './resolve-name.ts';

/** The command that asks. */
export interface CommandSession {
  host: KnownHost;
  session: Session;
  /** Words after `gw` and flags, with the name as it was typed. A refusal repeats them with the id. */
  words?: readonly string[];
  typed?: FlagValues;
  /** Lets a person say which record a name means. */
  questions?: Pick<Questions, 'confirm' | 'select' | 'mean' | 'meant'>;
  /** The request that is to be sent about the record, which is summed up before. */
  operation?: Operation;
}

/** The most records that a person chooses from. */
const MOST_OFFERED = 20;
/** The most records that a message names. */
const MOST_NAMED = 10;

/**
 * @returns the record that is meant, or the records of one story; none if there is no match
 * @throws Failure usage with the same command about the record that has the id, if a name is not enough; interrupted if
 *   the person says no
 */
export async function meantHere(
  asking: CommandSession,
  text: string,
  matches: readonly NameMatch[],
  rule: Pick<NameRule, 'person' | 'several'> = TO_CHANGE,
): Promise<readonly NameMatch[]> {
  try {
    const meant = meantBy(text, matches, rule);
    const [only] = meant;
    // A customer was named, and not the subscription that they have.
    const isOther = only?.by === 'customer' && only.kind === 'subscription';
    const chosen = isOther ? await chosenByPerson(asking, text, meant) : undefined;
    return chosen ? [chosen] : meant;
  } catch (error) {
    const chosen = await chosenByPerson(asking, text, matches);
    if (chosen) return [chosen];
    const command = commandOn(asking, text, matches[0]?.id);
    if (!(error instanceof Failure) || error.code !== 'name-not-enough' || !command) throw error;
    throw error.with({ next: `If you mean it, give its id: ${command}.` });
  }
}

/**
 * @returns the record that a person chooses, which the same command then names by its id; undefined if nobody is there
 * @throws Failure interrupted if it is not meant
 */
export async function chosenByPerson(
  { host, session, questions, operation }: CommandSession,
  text: string,
  matches: readonly NameMatch[],
): Promise<NameMatch | undefined> {
  const [first, ...more] = matches;
  if (!first || !questions || !session.options.mayAsk) return undefined;
  // The summary shows the only one, and asks. On a live profile the name of the profile may be all that is asked for.
  const isSummedUp = operation !== undefined && operation.effect !== 'read';
  if (more.length === 0 && isSummedUp && session.profile.environment !== 'live') {
    await questions.mean(text, first.id);
    return first;
  }
  // Two subscriptions of one customer differ in nothing but their plans.
  const there = matches.flatMap(({ kind, thing }) => (kind === 'subscription' ? [thing] : []));
  const planOf = await withKnown(host, session.gateway, ({ things }) => planNames(things, there));
  const hintOfMatch = (one: NameMatch) => {
    const plan = one.kind === 'subscription' ? planOf?.(one.thing) : undefined;
    return [hintIn(one), plan && neutralise(plan)].filter(Boolean).join(', ');
  };
  const choices = matches.slice(0, MOST_OFFERED).map((one) => ({
    value: one.id,
    name: one.id,
    hint: hintOfMatch(one),
  }));
  const asked = `${capitalised(first.kind)} ${first.id} (${hintOfMatch(first)}): this one?`;
  if (more.length === 0 && !(await questions.confirm(asked))) throw cancellation();
  const id = more.length > 0 ? await questions.select(`Which one of ${text}?`, choices) : first.id;
  await questions.mean(text, id);
  return matches.find((one) => one.id === id);
}

const hintIn = (one: NameMatch) =>
  one.kind === 'customer' ? neutralise(hintOf(one)) : factsOf(one);

/** @returns the words by which a person recognises a record; may be empty */
export function factsOf({ kind, id, by, thing }: NameMatch): string {
  const { at, reference, who } = thing;
  const { money, card, state } = ownFactsOf(thing);
  const day = kind === 'purchase' ? at.slice(0, 10) : null;
  // Payments are mostly those of one person, whom the text names.
  const isOfOne = kind === 'purchase' && by !== 'near';
  const called = reference === id ? null : reference;
  const parts = [isOfOne ? null : who, money, day, called, isOfOne ? null : card, state];
  return neutralise(parts.filter((part) => part !== null).join(', '));
}

/**
 * @param called how each is called
 * @returns for example `071-P-A1 (25.00 AUD, 2026-03-01, approved); and 3 more`
 */
export function factsOfAll(
  all: readonly NameMatch[],
  called: (id: string) => string = neutralise,
): string {
  const named = all.slice(0, MOST_NAMED).map((one) => `${called(one.id)} (${factsOf(one)})`);
  const left = all.length - named.length;
  return [...named, ...(left > 0 ? [`and ${left} more`] : [])].join('; ');
}

/** @returns the whole command as it was typed, about another record; undefined if it has no such text */
export function commandOn(
  asking: Pick<CommandSession, 'words' | 'typed'>,
  text: string,
  id: string | undefined,
): string | undefined {
  const command = id === undefined ? undefined : correctedCommand(asking, [text, id]);
  return command && `\`${command}\``;
}

/** @returns whose the record of an id, a reference or a token is, as far as this machine knows; undefined if nobody's */
export async function whose(
  { host, session }: Pick<CommandSession, 'host' | 'session'>,
  kind: NameMatch['kind'],
  id: string,
): Promise<string | undefined> {
  const rule = { ...TO_LOOK_UP, kinds: [kind] };
  const matches = await withKnown(host, session.gateway, (known, owner) =>
    resolveName(known, id, owner, rule),
  );
  const [only, ...more] = matches ?? [];
  return only && more.length === 0 ? hintOf(only) || undefined : undefined;
}
