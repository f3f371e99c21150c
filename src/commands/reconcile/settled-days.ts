/**
 * The days that the gateway settled, as this ledger knows them: which payments and refunds each was made of, counted like
 * a report (src/things/what-counts.ts). A record without a settlement date has the day of its transaction.
 */
import type { TimeZone } from '../../base/time-zone.ts';
import type { Owner } from '../../things/owner.ts';
import type { Thing } from '../../things/thing.ts';
import type { SearchIndex } from '../../things/thing-index.ts';
import { whatCounts } from '../../things/what-counts.ts';
import { dayOf } from './compare.ts';
import type { SettledRecord } from './reconciled-row.ts';

/** All that was settled on one day in one currency. */
export interface SettledDay {
  /** `YYYY-MM-DD` */
  day: string;
  /** ISO 4217 code; '' for that of the account, if nothing says it. */
  currency: string;
  /** Minor units: payments less refunds. */
  amount: number;
  records: SettledRecord[];
}

export interface SettledDays {
  /** The oldest first. */
  days: SettledDay[];
  /** Records that are not counted, because it is not certain whether money moved. */
  uncertain: { day: string; id: string }[];
}

/**
 * @param period ISO 8601: transactions of this time
 * @param usual the currency of records that name none
 */
export async function settledDays(
  things: Pick<SearchIndex, 'each'>,
  period: { since: string; until: string; scope: Owner },
  { zone, usual = '' }: { zone: TimeZone; usual: string | undefined },
): Promise<SettledDays> {
  const days = new Map<string, SettledDay>();
  const uncertain: SettledDays['uncertain'] = [];
  const kinds = ['purchase', 'refund', 'request', 'event'] as const;
  for await (const thing of things.each({ kinds, ...period })) {
    const what = whatCounts(thing);
    const day = settlementDay(thing, zone);
    if (what === undefined || what === 'declines' || day === undefined) continue;
    const { kind, id, reference } = thing;
    const size = Math.abs(thing.amount ?? 0);
    if (what !== 'purchases' && what !== 'charges' && what !== 'refunds') {
      uncertain.push({ day, id });
      continue;
    }
    const currency = thing.currency ?? usual;
    const amount = what === 'refunds' ? -size : size;
    const settled = days.get(`${day} ${currency}`) ?? { day, currency, amount: 0, records: [] };
    settled.amount += amount;
    settled.records.push({ kind, id, reference, amount });
    days.set(`${day} ${currency}`, settled);
  }
  const sorted = [...days.values()].sort((one, other) => (one.day < other.day ? -1 : 1));
  return { days: sorted, uncertain };
}

function settlementDay({ at, sources }: Thing, zone: TimeZone): string | undefined {
  const { record, event } = sources;
  return dayOf(record?.settledOn ?? event?.settledOn ?? at, zone);
}
