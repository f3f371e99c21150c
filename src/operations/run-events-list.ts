/** The events that were received: the newest, or those that fit what is asked for. */
import type { EventFilter } from '../events/event-store.ts';
import type { FactFilter } from '../facts/facts.ts';
import { type FactFlags, readFactFilter } from '../flags/fact-flags.ts';
import { parseInteger } from '../flags/parse-integer.ts';
import { parseTime, timeZoneOf } from '../flags/parse-time.ts';
import type { Context } from '../session/context.ts';
import { openIndexedLedger } from '../session/indexed-ledger.ts';
import { knownWhere } from '../session/known-where.ts';
import { openEvents } from '../session/open-events.ts';
import { openPrinter, type PrintFlags } from '../view/print-records.ts';
import { EVENT_VIEW } from '../view/records/received-event.ts';
import { shown } from '../webhooks/receive/event-record.ts';
import { findText } from './find-text.ts';

export interface EventsListFlags extends FactFlags, PrintFlags {
  event?: readonly string[] | undefined;
  before?: string | undefined;
  reference?: string | undefined;
  customer?: string | undefined;
  limit: string;
}

const NONE_FOUND = 'No events match. `gw events list` shows the newest ones.';
const noneReceived = (where: string) =>
  `No web hook events were received ${where}. \`gw listen\` receives them.`;

/** Events that words or an amount are looked for in, the newest of them. */
const MOST_FOUND = 10_000;

/** @param words as they were typed @throws Failure usage when they cannot be searched for */
export async function runEventsList(
  context: Context,
  words: readonly string[],
  flags: EventsListFlags,
): Promise<void> {
  const text = findText(words);
  // Events have the time of this machine, whoever's they are.
  const now = context.host.clock.now();
  const { since, until, profile, outcome, ...what } = readFactFilter(flags, now);
  const filter: EventFilter = { limit: parseInteger('limit', flags.limit) };
  if (flags.event !== undefined) filter.events = flags.event;
  if (since !== undefined) filter.since = since;
  if (until !== undefined) filter.before = until;
  if (flags.before !== undefined)
    filter.before = parseTime('before', flags.before, now, timeZoneOf(flags['time-zone']));
  if (flags.reference !== undefined) filter.reference = flags.reference;
  if (flags.customer !== undefined) filter.customer = flags.customer.toLowerCase();
  if (profile !== undefined) filter.profile = profile;
  if (flags.outcome !== undefined) filter.outcome = flags.outcome;

  const isAsked = text !== undefined || Object.keys(what).length > 0;
  const { where } = await knownWhere(context.host, { profile });
  const printer = openPrinter(context.host, flags, {
    kind: EVENT_VIEW,
    isSingle: false,
    ifNone: isAsked || Object.keys(filter).length > 1 ? NONE_FOUND : noneReceived(where),
  });
  if (isAsked) filter.among = await found(context, { text, ...what, profile });
  const store = await openEvents(context.host, { profile });
  try {
    for await (const event of store.list(filter))
      await printer.add(EVENT_VIEW.record(shown(event)));
    await printer.end();
  } finally {
    await store.close();
  }
}

/** @returns numbers of events */
async function found(
  context: Context,
  asked: FactFilter & { text: string | undefined },
): Promise<number[]> {
  const ledger = await openIndexedLedger(context.host, { profile: asked.profile });
  try {
    const facts = await ledger.facts.search({ ...asked, kinds: ['event'], limit: MOST_FOUND });
    return [...new Set(facts.map(({ id }) => Number(id)))];
  } finally {
    await ledger.close();
  }
}
