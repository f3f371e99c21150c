/**
 * Notices that webhooks were missed: a known subscription was due, and nothing tells of a charge, not even of a decline.
 * The gateway has no list of charges (section 4), so every report of these days lacks them.
 *
 * Tests: test/scripts/commands/report-missed.script
 */
import { addDays } from '../../base/calendar.ts';
import { plural, quantity } from '../../base/text.ts';
import type { Profile } from '../../client/profiles/profile.ts';
import { MAX_RETRIES } from '../../contract/billing-dates.ts';
import { firstDueFrom } from '../../emulator/rules/schedule.ts';
import { scheduleOf } from '../../requests/known/subscription-schedule.ts';
import type { Owner } from '../../things/owner.ts';
import type { Thing } from '../../things/thing.ts';
import type { SearchIndex } from '../../things/thing-index.ts';
import { isWithoutLimit } from './report-flags.ts';

const DAY = 'YYYY-MM-DD'.length;

/** Days by the gateway's own dates, `YYYY-MM-DD`: `next` is the first one after them. */
interface Days {
  first: string;
  next: string;
}

/** The part of a report's desk that tells what was due in its time. */
interface MissedDesk {
  ledger: { things: Pick<SearchIndex, 'each' | 'chargedDays' | 'sources'> };
  scope: Owner;
  period: Days & { from: string; until: string };
  /** The gateway's clock says it. */
  instant: Date;
  profile: Pick<Profile, 'environment'>;
}

/** The charges on which a report rests. */
export interface RestsOn {
  /** The customer whose charges these are; undefined for all. */
  customer?: string | undefined;
  /** Whether only the present state of subscriptions counts, which a look-up tells as well. */
  isOfStates?: boolean;
}

/** The days on which a subscription was due. */
interface DueDays {
  /** Its charges name it so. */
  name: string;
  isDaily: boolean;
  days: string[];
}

/** @param on undefined for a report of something else @returns a line if charges on which it rests are not known */
export async function missedNotes(desk: MissedDesk, on: RestsOn | undefined): Promise<string[]> {
  if (!on) return [];
  const due = await dueSubscriptions(desk, on);
  const days = due.flatMap((one) => one.days).sort();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const charged = await desk.ledger.things.chargedDays(desk.scope, {
    from: `${addDays(first, -1)}T00:00:00Z`,
    until: `${addDays(last, MAX_RETRIES + 1)}T00:00:00Z`,
  });
  const known = new Set(charged.map(({ subscription, day }) => `${subscription} ${day}`));
  const missed = due
    .map(({ name, isDaily, days: dates }) => {
      // A retry tells of its charge too, and the dates of a gateway may be those of another zone.
      const about = Array.from({ length: (isDaily ? 1 : MAX_RETRIES) + 2 }, (_, n) => n - 1);
      return dates.filter((day) => !about.some((n) => known.has(`${name} ${addDays(day, n)}`)));
    })
    .filter((dates) => dates.length > 0);
  return missed.length > 0 ? [missedText(missed, on)] : [];
}

async function dueSubscriptions(
  desk: MissedDesk,
  { customer, isOfStates = false }: RestsOn,
): Promise<DueDays[]> {
  const { ledger, scope, period } = desk;
  const over = dayOver(desk);
  const next = isOfStates || over < period.next ? over : period.next;
  const begin = isOfStates ? '' : await firstDay(desk);
  const due: DueDays[] = [];
  const filter = { kinds: ['subscription'], outcome: 'active', scope } as const;
  for await (const one of ledger.things.each(filter)) {
    if (one.told === 'heard' || (customer !== undefined && one.customer !== customer)) continue;
    const { record } = one.sources;
    // A look-up says what is due next, or that nothing is.
    const first = isOfStates && record ? (record.dates?.next ?? next) : begin;
    due.push(dueIn(one, { first, next }, over));
  }
  return due;
}

/** @returns the first day of the report; of one without a limit, the first of which this ledger knows a payment */
async function firstDay({ ledger, period }: Pick<MissedDesk, 'ledger' | 'period'>) {
  if (!isWithoutLimit(period.from, period.until)) return period.first;
  const { oldest } = await ledger.things.sources();
  return (oldest ?? period.until).slice(0, DAY);
}

/** @returns the first day of which webhooks may still come; other gateways have a zone that nobody knows */
function dayOver({ instant, profile }: Pick<MissedDesk, 'instant' | 'profile'>): string {
  const today = instant.toISOString().slice(0, DAY);
  return profile.environment === 'local' ? today : addDays(today, -1);
}

/** @returns the days, as far as they are known; none before the subscription was last resumed */
function dueIn(thing: Thing, { first, next }: Days, today: string): DueDays {
  const { start, end, frequency } = scheduleOf(thing, today);
  const due = {
    name: thing.subscription ?? thing.id,
    isDaily: frequency === 'Daily',
    days: [] as string[],
  };
  if (start === null || frequency === null) return due;
  const { dated, at = '' } = thing.sources.record?.deeds?.at(-1) ?? {};
  const begin = [start, first, (dated ?? at).slice(0, DAY)].sort().at(-1) ?? start;
  const until = end !== null && end < next ? addDays(end, 1) : next;
  for (let day = firstDueFrom(start, frequency, begin); day < until; ) {
    due.days.push(day);
    day = firstDueFrom(start, frequency, addDays(day, 1));
  }
  return due;
}

function missedText(missed: readonly (readonly string[])[], { isOfStates }: RestsOn): string {
  const days = missed.flat().sort();
  const [first, last] = [days[0], days.at(-1)];
  const when = first === last ? `on ${first}` : `from ${first} to ${last}`;
  const of = quantity(missed.length, 'known subscription was', 'known subscriptions were');
  const what = isOfStates
    ? 'be out of date: `gw subscription list -o id | gw subscription get -` asks the gateway'
    : `lack ${plural(missed.length, 'its', 'their')} charges: \`gw listen\` receives the next ones while it runs`;
  return `${of} due ${when} and no webhook tells of it, so this may ${what}.`;
}
