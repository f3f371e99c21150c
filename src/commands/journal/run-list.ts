/** `gw journal list`: the newest entries, or those that match. */

import { amountReading, type ListOptions } from '../../cli/flags/search-flags.ts';
import { OTHERS_HAVE, profileScope, scopePhrase } from '../../cli/flags/whose.ts';
import { entryRecords } from '../../desk/query/entry-record.ts';
import { asOutcome } from '../../desk/query/readings.ts';
import {
  clockNote,
  findText,
  type ListDesk,
  moreThan,
  searchFilterOf,
  searchThings,
  withLedger,
} from '../../desk/query/search.ts';
import type { Context } from '../../host/context.ts';
import { ENTRY_STATES, type LedgerEntry } from '../../journal/ledger.ts';
import type { Owner } from '../../things/owner.ts';
import type { Thing, ThingKind } from '../../things/thing.ts';
import type { SearchQuery } from '../../things/thing-index.ts';
import { ofProfiles } from '../../view/of-profiles.ts';
import { printRecords } from '../../view/print-records.ts';
import { ENTRY_VIEW } from '../../view/records/journal-entry.ts';

export interface JournalListOptions extends ListOptions {
  /** Only entries whose outcome is unknown. */
  isUnresolved: boolean;
}

const NONE_FOUND = 'No money requests match. `gw journal list` shows the newest ones.';
const noneSent = (of: string, where: string) =>
  `No money requests${of} were sent ${where}. \`gw purchase create\` sends one.`;

const UNRESOLVED = ['sending', 'unknown'];

/** @param words as typed @throws Failure usage if they cannot be searched for */
export async function runJournalList(
  context: Context,
  words: readonly string[],
  options: JournalListOptions,
): Promise<void> {
  const { isUnresolved: unresolved, limit } = options;
  const text = findText(words);
  const { host } = context;
  const us = await profileScope(host, options);
  const filter = await searchFilterOf(host, options, us);
  const isAsked = text !== undefined || Object.keys(filter).length > 0;
  await withLedger(host, us, async (desk) => {
    const { ledger, scope, source } = desk;
    const all = { text, ...filter, ...(unresolved && { outcome: UNRESOLVED }) };
    const { note, ...asked } = asOutcome(all, ENTRY_STATES);
    const entriesOf = (whose: Owner | undefined, most: number) =>
      isAsked
        ? found(desk, { ...asked, scope: whose, limit: most })
        : ledger.list({ unresolved, of: whose, limit: most });
    const entries = await entriesOf(scope, limit + 1);
    const none = `${NONE_FOUND}\n${amountReading(options)}`.trimEnd();
    const records = await entryRecords(ledger, entries.slice(0, limit));
    const unasked = unresolved
      ? `Every outcome${scopePhrase(us)} is known.`
      : noneSent(scopePhrase(us), source.where);
    await printRecords(host, options.output, records, {
      kind: us.of ? ENTRY_VIEW : ofProfiles(ENTRY_VIEW),
      ifNone: isAsked ? none : unasked,
    });
    await host.stderr.write(
      note + (await clockNote(host, us, { ...options, count: entries.length })),
    );
    if (entries.length > limit) await host.stderr.write(moreThan(limit));
    if (entries.length === 0 && us.of && (await entriesOf(undefined, 1)).length > 0)
      await host.stderr.write(OTHERS_HAVE);
  });
}

/** An entry makes one of these, or a subscription; `request` stands for an entry that made nothing. */
const MADE: readonly ThingKind[] = ['purchase', 'refund', 'request'];
/** States of entries that made a thing. A thing has other words: a purchase that is done is approved. */
const STATES_OF_MAKERS: readonly unknown[] = ['done', 'declined'];
/** Things to read if the state of their entries decides. */
const MOST_READ = 10_000;

/** @returns the newest entries of the things that match */
async function found(
  desk: ListDesk,
  { outcome, since, until, limit, ...asked }: SearchQuery,
): Promise<LedgerEntry[]> {
  const { ledger } = desk;
  const states = [outcome ?? []].flat();
  const isOfMakers = states.some((state) => STATES_OF_MAKERS.includes(state));
  const wanted = { ...asked, isSent: true, ...(isOfMakers ? {} : { outcome }) };
  const read = isOfMakers ? MOST_READ : limit;
  const moved = await searchThings(desk, { ...wanted, kinds: MADE, since, until, limit: read });
  // A subscription may begin long before its request, or after it.
  const begun = await searchThings(desk, {
    ...wanted,
    kinds: ['subscription'],
    limit: MOST_READ,
  });
  const entriesOf = (things: readonly Thing[]) =>
    ledger.entries(things.flatMap(({ sources }) => Object.keys(sources.requests)));
  const isWithin = ({ createdAt }: LedgerEntry) =>
    (since === undefined || createdAt >= since) && (until === undefined || createdAt < until);
  return [...(await entriesOf(moved)), ...(await entriesOf(begun)).filter(isWithin)]
    .filter(({ state }) => states.length === 0 || states.includes(state))
    .filter(({ operator }) => asked.operator === undefined || operator === asked.operator)
    .toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1))
    .slice(0, limit);
}
