/** `gw events list`: the newest events, or those that match. */

import { nearest } from '../../base/nearest.ts';
import { parseTime } from '../../cli/flags/parse-time.ts';
import { amountReading, type ListOptions, readSearchFilter } from '../../cli/flags/search-flags.ts';
import {
  OTHERS_HAVE,
  type ProfileScope,
  profileScope,
  scopeOf,
  scopePhrase,
} from '../../cli/flags/whose.ts';
import { EVENT_NAMES } from '../../contract/webhooks/names.ts';
import { matcher } from '../../contract/webhooks/patterns.ts';
import { asOutcome } from '../../desk/query/readings.ts';
import { clockNote, findText, moreThan } from '../../desk/query/search.ts';
import type { ForwardState, StoredEvent } from '../../events/event.ts';
import { LISTED_OUTCOMES } from '../../events/read/read-delivery.ts';
import { EVENT_VIEW, shownEvent } from '../../events/show/event-view.ts';
import { openEvents } from '../../events/store/event-file.ts';
import type { EventFilter } from '../../events/store/kept-events.ts';
import { usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import { timeZoneOf } from '../../host/machine-zone.ts';
import { ownEvents } from '../../requests/known/own-events.ts';
import { outcomesOf } from '../../things/conditions.ts';
import type { ThingKind } from '../../things/thing.ts';
import type { SearchFilter } from '../../things/thing-index.ts';
import { fieldColumn } from '../../view/columns.ts';
import { ofProfiles } from '../../view/of-profiles.ts';
import { openPrinter } from '../../view/print-records.ts';

export interface EventsListOptions extends ListOptions {
  /** Patterns of names; undefined for all. */
  events: readonly string[] | undefined;
  /** A time, as typed. */
  before: string | undefined;
  /** Id, reference, email or full name. */
  customer: string | undefined;
  /** How the application took them; undefined for all. */
  forward: ForwardState | undefined;
}

/** An event with the last answer of the application. */
const FORWARD_VIEW: typeof EVENT_VIEW = {
  ...EVENT_VIEW,
  mayHave: [...(EVENT_VIEW.mayHave ?? []), 'forward_error'],
  columns: [...EVENT_VIEW.columns, fieldColumn('forward_error', { header: 'not taken' })],
};

function viewOf(us: ProfileScope, forward: ForwardState | undefined) {
  const view = forward === undefined ? EVENT_VIEW : FORWARD_VIEW;
  return us.of ? view : ofProfiles(view);
}

/** @param passed the reasons of events, if it is asked how these were passed on */
function recordOf(event: StoredEvent, passed: ReadonlyMap<number, string | null> | undefined) {
  const record = EVENT_VIEW.record(shownEvent(event));
  return passed ? { ...record, forward_error: passed.get(event.id) ?? null } : record;
}

const NONE_FOUND = 'No events match. `gw events list` shows the newest ones.';
const NONE_RECEIVED =
  'No events match. --since and --until mean the day of receipt. For a day of payment, search for it: `gw events list 2026-03-24`.';
const NONE_FORWARDED =
  'gw knows how an application took an event if `gw listen --forward-to` passed it on. ';
const noneReceived = (us: ProfileScope) =>
  `No webhook events${scopePhrase(us)} were received on this machine. \`gw listen\` receives them.`;
const noneFound = (options: EventsListOptions) =>
  `${options.forward ? NONE_FORWARDED : ''}${(options.since ?? options.until) === undefined ? NONE_FOUND : NONE_RECEIVED}\n${amountReading(options)}`.trimEnd();

/** @param isFiltered whether a filter besides that of passing on is asked for */
const noneSaid = (us: ProfileScope, options: EventsListOptions, isFiltered: boolean) =>
  isFiltered || options.forward !== undefined ? noneFound(options) : noneReceived(us);

/** The profile is enough for these filters, so the ledger is not read. */
const EVENTS_HAVE_NONE = { accountOf: async () => null };

/** The newest things that are searched for words or an amount. */
const MOST_FOUND = 10_000;

/** @param words as typed @throws Failure usage if they cannot be searched for */
export async function runEventsList(
  context: Context,
  words: readonly string[],
  options: EventsListOptions,
): Promise<void> {
  const { host } = context;
  const us = await profileScope(host, options);
  const { note, text, outcome, events, forward } = readWords(words, options);
  const { filter, what } = readOptions(host, { ...options, outcome, events });
  const isAsked = text !== undefined || Object.keys(what).length > 0;
  const isFiltered = isAsked || Object.keys(filter).length > 1;
  const none = noneSaid(us, { ...options, forward }, isFiltered);
  const printer = openPrinter(host, options.output, { kind: viewOf(us, forward), ifNone: none });
  if (isAsked) filter.among = await found(host, { text, ...what });
  const scope = await scopeOf(host, us, EVENTS_HAVE_NONE);
  const store = openEvents(host);
  try {
    let count = 0;
    await refuseUnknown(store, events);
    const passed = forward && (await store.forwardsIn(forward));
    filter.deliveries = passed && [...passed.keys()];
    for await (const event of store.list({ ...filter, scope, limit: options.limit + 1 })) {
      count++;
      if (count <= options.limit) await printer.add(recordOf(event, passed));
    }
    await printer.end();
    const { since, before: until } = filter;
    const shown = { output: options.output, count, since, until };
    await host.stderr.write(note + (await clockNote(host, us, shown)));
    if (count > options.limit) await host.stderr.write(moreThan(options.limit));
    // Nobody sees in a sum of nothing that nothing was found.
    if (count === 0 && options.output.jq !== undefined) await host.stderr.write(`${none}\n`);
    if (count > 0 || !us.of) return;
    for await (const _ of store.list({ ...filter, limit: 1 })) await host.stderr.write(OTHERS_HAVE);
  } finally {
    await store.close();
  }
}

/** Reads words as typed: the name of an event, an outcome, `refused`, and else a text to search for. */
function readWords(words: readonly string[], options: EventsListOptions) {
  const named = words.filter((word) => /^[a-z]+:[a-z*]*$/.test(word));
  // A bank declines, and an application refuses.
  const isRefused = words.includes('refused');
  const rest = words.filter((word) => !named.includes(word) && word !== 'refused');
  const events = [...(options.events ?? []), ...named];
  const forward = options.forward ?? (isRefused ? 'refused' : undefined);
  const text = findText(rest);
  return { ...asOutcome({ text, outcome: options.outcome }, LISTED_OUTCOMES), events, forward };
}

/** @throws Failure usage if no event of the interface has the name, and none that was received */
async function refuseUnknown(
  store: Pick<ReturnType<typeof openEvents>, 'list'>,
  patterns: readonly string[],
): Promise<void> {
  for (const pattern of patterns) {
    if (EVENT_NAMES.some(matcher([pattern]))) continue;
    const seen = await store.list({ events: [pattern], limit: 1 }).next();
    if (!seen.done) continue;
    const near = nearest(pattern, EVENT_NAMES);
    throw usage(
      'event-unknown',
      `No event matches ${JSON.stringify(pattern)}.`,
      `${near ? `Did you mean ${near}? ` : ''}The events are ${EVENT_NAMES.join(', ')}; * matches any text, as in charge:*.`,
    );
  }
}

/**
 * Reads times by the clock of this machine, because events have its times.
 * @returns the filters of the events, and the filters that only the index can apply
 */
function readOptions(host: Pick<Host, 'clock' | 'env' | 'stderr'>, options: EventsListOptions) {
  const now = host.clock.now();
  const { since, until, outcome: _, reference, ...asked } = readSearchFilter(host, options, now);
  const { limit, events, before, output, customer, outcome } = options;
  const filter: EventFilter = { limit };
  if (events?.length) filter.events = events;
  if (since !== undefined) filter.since = since;
  if (until !== undefined) filter.before = until;
  if (before !== undefined)
    filter.before = parseTime('before', before, now, timeZoneOf(host, output.timeZone));
  if (reference !== undefined) filter.reference = reference;
  if (customer !== undefined) filter.customer = customer.toLowerCase();
  // A sample is stored with the outcome that it plays.
  const isOfSamples = outcome?.includes('sample') ?? false;
  if (outcome !== undefined && !isOfSamples) filter.outcomes = outcomesOf({ outcome });
  return { filter, what: { ...asked, ...(isOfSamples && { outcome }) } };
}

/** The kinds of things that an event may concern. */
const TOLD: readonly ThingKind[] = ['purchase', 'subscription', 'customer', 'card', 'event'];
/** The kinds that have the amount of a charge; a subscription has that of its plan. */
const CHARGES: readonly ThingKind[] = ['purchase', 'event'];

/** @returns the numbers of the events about things that match */
async function found(
  host: Parameters<typeof ownEvents>[0],
  asked: SearchFilter & { text: string | undefined },
): Promise<number[]> {
  const events = await ownEvents(host);
  const { amount, min, max } = asked;
  const isOfMoney = amount !== undefined || min !== undefined || max !== undefined;
  const things = await events?.search({
    ...asked,
    kinds: isOfMoney ? CHARGES : TOLD,
    limit: MOST_FOUND,
  });
  return [...new Set(things?.flatMap(({ sources }) => sources.events))];
}
