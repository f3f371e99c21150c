/** The view of the days that the test gateway has run. */
import type { JsonObject } from '../../base/json.ts';
import { count, plural, quantity } from '../../base/text.ts';
import { EVENT_NAMES } from '../../contract/webhooks/names.ts';
import type { AdvancedDay } from '../../emulator/billing/advance.ts';
import {
  type Column,
  extra,
  fieldColumn,
  idFromFields,
  NO_VALUE,
  ownView,
} from '../../view/columns.ts';

/** A table shows zero as a dash, which is easier to read. */
const counted = (field: string, header: string, options: Partial<Column> = {}) =>
  fieldColumn(field, {
    header,
    align: 'right',
    shorten: (text) => (text === '0' ? NO_VALUE : text),
    ...options,
  });

/** The column is named by the part after the colon of the event's name. */
const eventColumn = (event: string) =>
  counted(
    `events.${event}`,
    event.slice(event.indexOf(':') + 1),
    event === 'charge:pending' ? extra : {},
  );

export const ADVANCED_DAY_VIEW = ownView<AdvancedDay>({
  name: 'day',
  plural: 'days',
  mayHave: ['day', 'events', 'delivered', 'failed', 'abandoned'],
  hasHeader: true,
  id: idFromFields(['day']),
  columns: [
    fieldColumn('day'),
    ...EVENT_NAMES.map(eventColumn),
    counted('delivered', 'delivered'),
    counted('failed', 'not delivered'),
    counted('abandoned', 'abandoned'),
  ],
});

const DELIVERIES = ['delivered', 'failed', 'abandoned'] as const;

/**
 * @param days in order
 * @returns rows of a table for people. Days without an event share a row, and several days end with a row of sums
 */
export function foldedDays(days: readonly AdvancedDay[]): JsonObject[] {
  const rows: JsonObject[] = [];
  let quiet: AdvancedDay[] = [];
  const endQuiet = () => {
    const [first] = quiet;
    if (first && quiet.length === 1) rows.push(ADVANCED_DAY_VIEW.record(first));
    else if (first)
      rows.push({
        ...sumOf(quiet),
        day: quantity(quiet.length, 'quiet day', 'quiet days'),
      });
    quiet = [];
  };
  for (const day of days) {
    if (isQuiet(day)) quiet.push(day);
    else {
      endQuiet();
      rows.push(ADVANCED_DAY_VIEW.record(day));
    }
  }
  endQuiet();
  return days.length > 1 ? [...rows, { ...sumOf(days), day: 'total' }] : rows;
}

function isQuiet({ events, ...day }: AdvancedDay): boolean {
  const counts = [...Object.values(events), ...DELIVERIES.map((name) => day[name])];
  return counts.every((one) => one === 0);
}

function sumOf(days: readonly AdvancedDay[]): JsonObject {
  const sum = (of: (day: AdvancedDay) => number | undefined) =>
    days.reduce((total, day) => total + (of(day) ?? 0), 0);
  return {
    events: Object.fromEntries(
      EVENT_NAMES.map((name) => [name, sum(({ events }) => events[name])]),
    ),
    ...Object.fromEntries(DELIVERIES.map((name) => [name, sum((day) => day[name])])),
  };
}

/** The events of some days, and how many deliveries of them were taken. */
export interface Told {
  events: number;
  delivered: number;
}

/** @returns the sums with another day */
export function withDay({ events, delivered }: Told, day: AdvancedDay): Told {
  const more = Object.values(day.events).reduce((sum, count) => sum + count, 0);
  return { events: events + more, delivered: delivered + day.delivered };
}

/** The list of purchases is one of the deployed dialect, and no part of the interface. */
const LOOK_UP =
  "`gw api '/v1.0/purchases?limit=100' -p local --jq '.response[].id' | gw purchase get - -p local -o id` looks up the newest 100 charges.";

/**
 * @param isHeard whether a `gw listen` of this machine was registered
 * @param isListed whether the test gateway of the profile `local` lists purchases
 * @returns lines about events of which lists and reports know nothing, and what to do; '' if there are none
 */
export function untoldText(
  { events, delivered }: Told,
  { isHeard, isListed }: { isHeard: boolean; isListed: boolean },
): string {
  const untold = events - delivered;
  if (events === 0 || (untold <= 0 && isHeard)) return '';
  const [of, was] = [delivered === 0 ? '' : ` of ${count(events)}`, plural(untold, 'was', 'were')];
  return [
    ...(untold > 0
      ? [
          `${quantity(untold, 'event', 'events')}${of} ${was} delivered to nobody, so gw's lists and reports do not know what they tell.`,
        ]
      : []),
    ...(delivered > 0 && !isHeard
      ? [
          "Other addresses took events (`gw emulator hooks list`). gw's lists and reports know only what `gw listen` took.",
        ]
      : []),
    '`gw listen` in another terminal takes the next ones.',
    ...(isListed ? [LOOK_UP] : []),
    '',
  ].join('\n');
}
