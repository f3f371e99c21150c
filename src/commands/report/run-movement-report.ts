/**
 * `gw report charges`, `customers` and `doubles`: the charges and refunds of a period, listed or added up.
 *
 * Tests: test/scripts/commands/report.script, test/unit/events/event.test.ts
 */
import { quantity } from '../../base/text.ts';
import { moneyText } from '../../contract/money.ts';
import type { Context } from '../../host/context.ts';
import type { Owner } from '../../things/owner.ts';
import type { SearchIndex } from '../../things/thing-index.ts';
import type { OwnView } from '../../view/columns.ts';
import { moneyReport } from './money-report.ts';
import { cardDigits, doublesIn, movementsIn } from './movements.ts';
import { byName, type Known, tiedTo } from './named-things.ts';
import { type Reported, report } from './open-report.ts';
import type { ReportOptions } from './report-flags.ts';
import { notesOf } from './report-notes.ts';
import { byCurrency, compareValues, type RowFrame } from './report-row.ts';
import {
  CUSTOMERS_VIEW,
  type CustomerTotal,
  DOUBLES_VIEW,
  LOCAL_MOVEMENTS_VIEW,
  MOVEMENTS_VIEW,
  type Movement,
  type ReportRow,
} from './report-view.ts';

export function runChargesReport(
  context: Context,
  { hasDeclines, ...options }: ReportOptions & { hasDeclines: boolean },
): Promise<void> {
  const read: Read<Movement[]> = async (things, scope, frame) => {
    const moved = await movementsIn(things, scope, frame, hasDeclines);
    await tie({ things, scope }, moved);
    return moved;
  };
  const { isForExcel = false, workbook } = options.output;
  const view = isForExcel || workbook !== undefined ? LOCAL_MOVEMENTS_VIEW : MOVEMENTS_VIEW;
  return movementReport(context, { options, view, read }, async ({ moved, sums }) => ({
    rows: moved,
    notes: sums.flatMap((sum) => sumText(sum) ?? []),
  }));
}

/** Gives the movements the references of their plans, and refunds the card and plan of what they refund. */
async function tie(known: Known, moved: readonly Movement[]): Promise<void> {
  const purchases = moved.map(({ purchase }) => purchase);
  const paid = byName(await tiedTo(known, ['purchase'], purchases));
  for (const one of moved) {
    const purchase = paid.get(one.purchase ?? '');
    if (!purchase) continue;
    one.card ??= cardDigits(purchase);
    one.plan ??= purchase.plan;
  }
  const ids = moved.map(({ plan }) => plan);
  const plans = byName(await tiedTo(known, ['plan'], ids));
  // A copy of each row would take as much memory as the rows.
  for (const one of moved) one.plan = plans.get(one.plan ?? '')?.reference ?? one.plan;
}

function sumText({ what, count, amount, currency }: ReportRow): string | undefined {
  const isCounted =
    what !== 'declines' && what !== 'other' && what !== 'unknown' && what !== 'heard';
  if (!isCounted) return undefined;
  const sum = moneyText(amount ?? 0n, currency);
  return count === null
    ? `Left after refunds: ${sum}.`
    : `${quantity(count, what.slice(0, -1), what)}: ${sum}.`;
}

export function runDoublesReport(context: Context, options: ReportOptions): Promise<void> {
  const on = { options, view: DOUBLES_VIEW, read: doublesIn };
  return movementReport(context, on, async ({ moved: doubles, known }) => {
    const ids = doubles.flat().map(({ id }) => id);
    const refunds = await tiedTo(known, ['refund'], ids);
    const rows = doubles.flatMap((group, n) =>
      group.map((movement) => {
        const ofIt = refunds.filter((one) => one.purchase === movement.id);
        const back = ofIt.filter(({ outcome }) => outcome === 'approved');
        const refunded = back.reduce((sum, { amount }) => sum + Math.abs(amount ?? 0), 0);
        return { ...movement, double: n + 1, refunded };
      }),
    );
    const found = quantity(doubles.length, 'payment was', 'payments were');
    return { rows, notes: [`${found} made again within a day: the same card, the same amount.`] };
  });
}

export function runCustomersReport(
  context: Context,
  { limit, ...options }: ReportOptions & { limit: number },
): Promise<void> {
  const on = { options, view: CUSTOMERS_VIEW, read: movementsIn };
  return movementReport(context, on, async ({ moved, known }) => {
    const all = await customersOf(known, moved);
    // Amounts of different currencies do not compare, so each currency has its own first customers.
    const currencies = [...new Set(all.map(({ currency }) => currency))];
    const rows = currencies.flatMap((code) =>
      all.filter(({ currency }) => currency === code).slice(0, limit),
    );
    const left = all.length - rows.length;
    const more = `${quantity(left, 'more customer', 'more customers')} paid. Use --limit to see more.`;
    return { rows, notes: left > 0 ? [more] : [] };
  });
}

/** @returns a row for each customer and currency, by currency, the largest net first */
async function customersOf(known: Known, moved: readonly Movement[]): Promise<CustomerTotal[]> {
  const payers = await payersOf(known, moved);
  const rows = new Map<string, CustomerTotal>();
  for (const [n, { currency, amount, what }] of moved.entries()) {
    const { key: whose, customer, who, email } = payers[n] ?? UNKNOWN;
    const key = JSON.stringify([currency, whose]);
    const row = rows.get(key) ?? {
      customer,
      who,
      email,
      currency,
      profile: known.scope.profile,
      payments: 0,
      paid: 0n,
      refunds: 0,
      refunded: 0n,
    };
    const money = BigInt(Math.abs(amount ?? 0));
    if (what === 'refund') row.refunds++;
    else row.payments++;
    row[what === 'refund' ? 'refunded' : 'paid'] += money;
    rows.set(key, row);
  }
  const net = ({ paid, refunded }: CustomerTotal) => paid - refunded;
  return [...rows.values()].sort(
    (one, other) => byCurrency(one, other) || compareValues(net(other), net(one)),
  );
}

interface PayingCustomer extends Pick<CustomerTotal, 'customer' | 'who' | 'email'> {
  /** The name that identifies a customer. */
  key: string;
}

const UNKNOWN: PayingCustomer = { key: '', customer: null, who: null, email: null };

/** @returns the customer of each payment or refund */
async function payersOf(known: Known, moved: readonly Movement[]): Promise<PayingCustomer[]> {
  // A refund has no token: its purchase tells payers apart who are no customers.
  const purchases = moved.map(({ purchase }) => purchase);
  const paid = byName(await tiedTo(known, ['purchase'], purchases));
  const things = moved.map((one) => paid.get(one.purchase ?? '') ?? one);
  const names = things.map(({ customer }) => customer);
  const customers = byName(await tiedTo(known, ['customer'], names));
  return things.map(({ customer, token, who, email, lastFour }) => {
    const one = customers.get(customer ?? '');
    if (one) return { key: one.id, customer: one.id, who: one.who, email: one.email };
    return { key: customer ?? token ?? JSON.stringify([who, lastFour]), customer, who, email };
  });
}

/** Reads the movements of a period. */
type Read<Moved> = (things: SearchIndex, scope: Owner, frame: RowFrame) => Promise<Moved>;

interface PeriodMovements<Moved> {
  known: Known;
  moved: Moved;
  sums: readonly ReportRow[];
}

function movementReport<Row, Moved>(
  context: Context,
  on: { options: ReportOptions; view: OwnView<Row>; read: Read<Moved> },
  work: (found: PeriodMovements<Moved>) => Promise<Omit<Reported<Row>, 'charts'>>,
): Promise<void> {
  return report(context, { ...on, kind: 'month' }, async (desk) => {
    const { scope, frame, ledger } = desk;
    const { things } = ledger;
    const sums = await moneyReport(things, scope, frame);
    const moved = await on.read(things, scope, frame);
    const { rows, notes } = await work({ known: { things, scope }, moved, sums: sums.rows });
    return { rows, notes: [...(await notesOf(desk, sums)), ...notes] };
  });
}
