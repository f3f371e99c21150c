/**
 * Lists the known things of one kind, each with its record as it was last seen.
 *
 * Tests: test/scripts/commands/lists.script, test/unit/events/event.test.ts
 */

import { agoText, plural, quantity } from '../../base/text.ts';
import { amountReading, type ListOptions } from '../../cli/flags/search-flags.ts';
import {
  othersHave,
  type ProfileScope,
  profileScope,
  scopeOf,
  scopePhrase,
} from '../../cli/flags/whose.ts';
import { gatewayTime } from '../../client/gateway-time.ts';
import { type DataSource, dataSourceOf } from '../../client/ledger/place.ts';
import { type EventStore, openEvents } from '../../events/store/event-file.ts';
import type { Context } from '../../host/context.ts';
import { knownRecord } from '../../requests/known/known-record.ts';
import { openLedger } from '../../requests/known/open-ledger.ts';
import { planNames } from '../../requests/known/plan-names.ts';
import type { Thing } from '../../things/thing.ts';
import type { SearchFilter, SearchQuery } from '../../things/thing-index.ts';
import { isRefund, whatCounts } from '../../things/what-counts.ts';
import { ofProfiles } from '../../view/of-profiles.ts';
import { openPrinter } from '../../view/print-records.ts';
import { type ListedKind, listedRecord, listView } from '../../view/records/listed-record.ts';
import { asFilter, searchShown } from '../query/readings.ts';
import { findText, moreThan, searchFilterOf, searchThings } from '../query/search.ts';

interface Listed {
  kind: ListedKind;
  plural: string;
}

/** @param words as they were typed @throws Failure usage when they cannot be searched for */
export async function runKnownList(
  context: Context,
  { kind, plural }: Listed,
  words: readonly string[],
  options: ListOptions,
): Promise<void> {
  const { host } = context;
  const { limit, output } = options;
  const text = findText(words);
  const us = await profileScope(host, options);
  const filter = await searchFilterOf(host, options, us);
  const ledger = await openLedger(host, { needs: 'learns', profile: us.profile });
  let events: EventStore | undefined;
  const known = {
    remembered: ledger.remembered.bind(ledger),
    events(numbers: readonly number[]) {
      events ??= openEvents(host);
      return events.findAll(numbers);
    },
  };
  try {
    const scope = await scopeOf(host, us, ledger);
    const asked = { text, ...filter, kinds: [kind] };
    const desk = { host, us, ledger };
    const query = { ...asked, scope, limit: limit + 1 };
    const { things, note } = await searchShown(desk, query, output);
    const shown = things.slice(0, limit);
    const view = listView(kind, shown);
    const printer = openPrinter(host, output, { kind: us.of ? view : ofProfiles(view) });
    const planOf = await planNames(ledger.things, kind === 'subscription' ? shown : []);
    // Only subscriptions depend on today, and the test gateway's time is in its file.
    const dated = kind === 'subscription' ? us.of : undefined;
    const now = dated ? await gatewayTime(host, dated) : host.clock.now();
    const today = now.toISOString().slice(0, 'YYYY-MM-DD'.length);
    for (const thing of shown) {
      const seen = await knownRecord(known, thing, today);
      const record = listedRecord(thing, seen?.record, planOf(thing));
      const { profile, environment } = thing;
      await printer.add(us.of ? record : { ...record, profile, environment });
    }
    await printer.end();
    const where = await dataSourceOf(host, us);
    await host.stderr.write(
      note +
        (shown.length > 0
          ? about({ kind, plural }, shown, { where, now: host.clock.now() })
          : noneOf({ kind, plural }, { text, ...filter }, { us, where }) + amountReading(options)),
    );
    const search = (wanted: SearchQuery) => searchThings(desk, wanted);
    await host.stderr.write(await withoutRecord({ kind, plural }, query, search));
    if (shown.length === 0)
      await host.stderr.write(await othersHave(us, { search }, asFilter({ ...asked, limit: 1 })));
    if (things.length > limit) await host.stderr.write(moreThan(limit));
  } finally {
    await events?.close();
    await ledger.close();
  }
}

/** @returns a note that says what the list is, how old, and how to get current records */
function about(
  listed: Listed,
  things: readonly Thing[],
  { where: { where }, now }: { where: DataSource; now: Date },
): string {
  const [oldest = ''] = things.map(({ seenAt }) => seenAt).toSorted();
  const count = (isCounted: (thing: Thing) => boolean, said: (count: number) => string) => {
    const counted = things.filter(isCounted).length;
    return counted === 0 ? '' : ` ${counted} ${said(counted)}.`;
  };
  const asides = [
    count(
      ({ told }) => told === 'event',
      (told) => `${plural(told, 'is', 'are')} known from webhooks alone`,
    ),
    count(
      ({ told }) => told === 'heard',
      (heard) => `${plural(heard, 'is', 'are')} known from unverified webhooks alone`,
    ),
    count(
      ({ outcome }) => outcome === 'deleted',
      (deleted) => `${plural(deleted, 'was', 'were')} deleted since`,
    ),
  ];
  return `Shown as last seen ${where}, the oldest ${agoText(oldest, now)}.${asides.join('')} ${asking(listed)}.\n`;
}

/** @param wanted the filters of the list */
function noneOf(
  listed: Listed,
  wanted: SearchFilter & { text: string | undefined },
  { us, where: { where } }: { us: ProfileScope; where: DataSource },
): string {
  const isAll = Object.values(wanted).every((value) => value === undefined);
  const plural = listed.plural + scopePhrase(us);
  const what = isAll ? plural : `matching ${plural}`;
  return `No ${what} were seen ${where}. ${asking(listed)}.\n`;
}

/** Refunds cannot be looked up by their references. */
const asking = ({ kind }: Listed) =>
  `\`gw ${kind} get ${kind === 'refund' ? 'ID' : 'REFERENCE'}\` asks the gateway`;

/** The most attempts that are counted. */
const MOST_TRIES = 10_000;

/** @returns how many attempts to pay were declined without a record, which a list of purchases lacks */
async function withoutRecord(
  { kind }: Listed,
  { outcome, ...asked }: SearchQuery,
  search: (wanted: SearchQuery) => Promise<Thing[]>,
): Promise<string> {
  const isOfDeclines = outcome === undefined || [outcome].flat().includes('declined');
  if (kind !== 'purchase' || !isOfDeclines) return '';
  const tries = await search({
    ...asked,
    kinds: ['request'],
    outcome: 'declined',
    limit: MOST_TRIES,
  });
  const count = tries.filter((one) => !isRefund(one) && whatCounts(one) === 'declines').length;
  return count === 0
    ? ''
    : `${quantity(count, 'attempt', 'attempts')} to pay made no record, because the bank declined: \`gw find --kind request\` has ${plural(count, 'it', 'them')}.\n`;
}
