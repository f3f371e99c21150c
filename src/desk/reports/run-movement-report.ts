/** `gw report charges`, `customers` and `doubles`: the charges and refunds of a period, listed or added up. */
import { plural } from '../../base/text.ts';
import type { ReportOptions } from '../../cli/flags/report-flags.ts';
import { moneyText } from '../../contract/money.ts';
import type { Context } from '../../host/context.ts';
import type { Thing } from '../../things/thing.ts';
import type { RecordView } from '../../view/columns.ts';
import {
  CUSTOMERS_VIEW,
  type CustomerTotal,
  DOUBLES_VIEW,
  MOVEMENTS_VIEW,
  type ReportRow,
} from '../../view/records/report.ts';
import { operatorNamed } from '../query/search.ts';
import { moneyReport } from './money-report.ts';
import { doublesIn, type Moved, movementsIn } from './movements.ts';
import { type ReportContext, type Reported, report, reportPeriod } from './open-report.ts';
import { counted } from './report-notes.ts';
import type { RowFrame } from './report-row.ts';
import { notesAbout } from './run-money-report.ts';

/** The most things to read for one name. */
const LOOKED_AT = 20;

interface MovementOptions extends ReportOptions {
  /** The month, as typed. */
  date: string | undefined;
}

export function runChargesReport(
  context: Context,
  options: MovementOptions & { hasDeclines: boolean },
): Promise<void> {
  return movementReport(context, { options, view: MOVEMENTS_VIEW }, async (desk, frame, sums) => {
    const { hasDeclines } = options;
    const moved = await movementsIn(desk.ledger.things, desk.scope, frame, hasDeclines);
    const rows = moved.map(({ movement }) => MOVEMENTS_VIEW.record(movement));
    return { rows, notes: sums.flatMap((sum) => sumText(sum) ?? []) };
  });
}

function sumText({ what, count, amount, currency }: ReportRow): string | undefined {
  if (what === 'declines' || what === 'other' || what === 'unknown') return undefined;
  const sum = moneyText(amount ?? 0n, currency);
  return count === null
    ? `Left after refunds: ${sum}.`
    : `${count} ${plural(count, what.slice(0, -1), what)}: ${sum}.`;
}

export function runDoublesReport(context: Context, options: MovementOptions): Promise<void> {
  return movementReport(context, { options, view: DOUBLES_VIEW }, async (desk, frame) => {
    const { ledger, scope } = desk;
    const doubles = doublesIn(await movementsIn(ledger.things, scope, frame));
    const ids = doubles.flat().map(({ id }) => id);
    const refunds = await tiedTo(desk, ids, 'refund');
    const rows = doubles.flatMap((group, n) =>
      group.map((movement) => {
        const ofIt = refunds.filter((one) => one.purchase === movement.id);
        const back = ofIt.filter(({ outcome }) => outcome === 'approved');
        const refunded = back.reduce((sum, { amount }) => sum + Math.abs(amount ?? 0), 0);
        return DOUBLES_VIEW.record({ ...movement, double: n + 1, refunded });
      }),
    );
    const found = counted(doubles.length, 'payment was', 'payments were');
    return { rows, notes: [`${found} made again within a day: the same card, the same amount.`] };
  });
}

export function runCustomersReport(
  context: Context,
  options: MovementOptions & { limit: number },
): Promise<void> {
  return movementReport(context, { options, view: CUSTOMERS_VIEW }, async (desk, frame) => {
    const moved = await movementsIn(desk.ledger.things, desk.scope, frame);
    const rows = await customersOf(desk, moved, frame.profile);
    const left = rows.length - options.limit;
    const more = `${counted(left, 'more customer', 'more customers')} paid. Use --limit to see more.`;
    return {
      rows: rows.slice(0, options.limit).map(CUSTOMERS_VIEW.record),
      notes: left > 0 ? [more] : [],
    };
  });
}

/** @returns a row for each customer and currency, the largest net first */
async function customersOf(
  desk: ReportContext,
  moved: readonly Moved[],
  profile: string,
): Promise<CustomerTotal[]> {
  const payers = await payersOf(desk, moved);
  const rows = new Map<string, CustomerTotal>();
  for (const [n, { movement }] of moved.entries()) {
    const { key: whose, customer, who, email } = payers[n] ?? UNKNOWN;
    const { currency, amount, what } = movement;
    const key = JSON.stringify([currency, whose]);
    const row = rows.get(key) ?? {
      ...{ customer, who, email, currency, profile },
      ...{ payments: 0, paid: 0n, refunds: 0, refunded: 0n },
    };
    const money = BigInt(Math.abs(amount ?? 0));
    if (what === 'refund') row.refunds++;
    else row.payments++;
    row[what === 'refund' ? 'refunded' : 'paid'] += money;
    rows.set(key, row);
  }
  const net = ({ paid, refunded }: CustomerTotal) => paid - refunded;
  return [...rows.values()].sort((one, other) => Number(net(other) - net(one)));
}

interface PayingCustomer extends Pick<CustomerTotal, 'customer' | 'who' | 'email'> {
  /** The name that identifies a customer. */
  key: string;
}

const UNKNOWN: PayingCustomer = { key: '', customer: null, who: null, email: null };

/** @returns the customer of each payment or refund */
async function payersOf(desk: ReportContext, moved: readonly Moved[]): Promise<PayingCustomer[]> {
  // A refund, or a payment by token, names no customer. The purchase has the token, and so has the
  // customer.
  const purchases = moved.flatMap(({ movement }) => movement.purchase ?? []);
  const paid = new Map((await tiedTo(desk, purchases, 'purchase')).map((one) => [one.id, one]));
  const things = moved.map(({ thing, movement }) => paid.get(movement.purchase ?? '') ?? thing);
  const names = things.flatMap(({ customer, token }) => customer ?? token ?? []);
  const known = new Map<string, Thing>();
  for (const one of await tiedTo(desk, names, 'customer'))
    for (const name of [one.id, one.reference, one.token]) if (name !== null) known.set(name, one);
  return things.map(({ customer, token, who, email, lastFour }) => {
    const one = known.get(customer ?? token ?? '');
    if (one) return { key: one.id, customer: one.id, who: one.who, email: one.email };
    return { key: customer ?? token ?? JSON.stringify([who, lastFour]), customer, who, email };
  });
}

/** @returns the things of a kind that have one of these names, or belong to one */
function tiedTo(
  { ledger, scope }: ReportContext,
  names: readonly string[],
  kind: 'refund' | 'purchase' | 'customer',
): Promise<Thing[]> {
  const wanted = [...new Set(names)];
  if (wanted.length === 0) return Promise.resolve([]);
  const limit = LOOKED_AT * wanted.length;
  return ledger.things.tied(wanted, { kinds: [kind], scope, limit });
}

function movementReport(
  context: Context,
  { options, view }: { options: MovementOptions; view: RecordView },
  work: (
    desk: ReportContext,
    frame: RowFrame,
    sums: readonly ReportRow[],
  ) => Promise<Pick<Reported, 'rows'> & { notes: readonly string[] }>,
): Promise<void> {
  return report(context, { options, view }, async (desk) => {
    const { ledger, scope, zone, instant, profile } = desk;
    const what = { kind: 'month', date: options.date } as const;
    const { name, from, until, timeZone } = reportPeriod(what, options, { instant, zone });
    const operator = operatorNamed(context, options.operator);
    const frame = { period: name, from, until, timeZone, profile: profile.name, operator };
    const sums = await moneyReport(ledger.things, scope, frame);
    const { rows, notes } = await work(desk, frame, sums.rows);
    const about = await notesAbout(desk, frame, sums);
    return { rows, notes: [about, ...notes.map((line) => `${line}\n`)].join('') };
  });
}
