/**
 * `gw report charges`, `customers` and `doubles`: the charges and refunds of a period, listed or added up.
 *
 * Tests: test/scripts/commands/report.script, test/unit/events/event.test.ts
 */
import { addDays } from '../../base/calendar.ts';
import { pagesOf } from '../../base/pages.ts';
import { periodBeside } from '../../base/periods.ts';
import { count, quantity } from '../../base/text.ts';
import { amountReading, readAmounts, type TypedAmounts } from '../../cli/flags/search-flags.ts';
import { moneyText } from '../../contract/money.ts';
import type { Context } from '../../host/context.ts';
import { sha256 } from '../../host/digest.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import type { Ledger } from '../../journal/ledger.ts';
import { plansCalled } from '../../requests/known/plan-names.ts';
import { hasAmount } from '../../things/conditions.ts';
import type { Thing } from '../../things/thing.ts';
import type { OwnView } from '../../view/columns.ts';
import { formatOf } from '../../view/print-records.ts';
import { byName, type Known, tiedTo } from '../query/named-things.ts';
import { moneyReport } from './money-report.ts';
import {
  cardDigits,
  doublesIn,
  isOpen,
  type MovementFrame,
  movementsIn,
  refundedDoubles,
} from './movements.ts';
import { type ReportDesk, type Reported, report } from './open-report.ts';
import {
  AT_ONCE,
  type NamedPayer,
  ofPayer,
  type PayingCustomer,
  payerNamed,
  payersOf,
  restsOn,
  rowsOfPayer,
} from './payers.ts';
import { isWithoutLimit, orRecent, type ReportOptions, withoutLimit } from './report-flags.ts';
import { notesOf } from './report-notes.ts';
import { byCurrency, compareValues } from './report-row.ts';
import {
  CUSTOMERS_VIEW,
  type CustomerTotal,
  DOUBLES_VIEW,
  LOCAL_MOVEMENTS_VIEW,
  MOVEMENTS_VIEW,
  type Movement,
  type ReportRow,
  refundsAlone,
  STATEMENT_VIEW,
} from './report-view.ts';

interface ChargesOptions extends ReportOptions, Partial<RowChoice> {
  hasDeclines: boolean;
  /** An id, an email, a name or a reference of whom alone they are wanted. */
  customer: string | undefined;
}

/** The rows of a period that are wanted. */
interface RowChoice {
  hasRefundsOnly: boolean;
  /** Leaves out what somebody gave a reason for. */
  isWithoutNote: boolean;
  amounts: TypedAmounts;
  /** A plan of whose charges and refunds alone they are. */
  plan: string | undefined;
  sample: Sample | undefined;
  /** The most rows of each currency, of which the largest come first. */
  largest: number | undefined;
}

/** So many of the rows, which the seed alone chooses. */
interface Sample {
  size: number;
  seed: string;
}

/** One profile's part, and what its ledger knows. */
type MovementDesk = ReportDesk & Pick<Ledger, 'things'>;

type Moved = AsyncIterable<Movement> | readonly Movement[];

async function* chosen(
  moved: Moved,
  isWanted: (one: Movement) => boolean,
): AsyncGenerator<Movement> {
  for await (const one of moved) if (isWanted(one)) yield one;
}

async function rowsOf(moved: Moved): Promise<Movement[]> {
  const rows: Movement[] = [];
  for await (const one of moved) rows.push(one);
  return rows;
}

export function runChargesReport(context: Context, options: ChargesOptions): Promise<void> {
  const { hasDeclines, hasRefundsOnly = false, customer, amounts = NO_AMOUNTS } = options;
  const { plan, sample, largest } = options;
  const isLetter = customer !== undefined && options.output.page !== undefined;
  const all = isLetter ? STATEMENT_VIEW : movementsView(options);
  const on = { options, view: hasRefundsOnly ? refundsAlone(all) : all };
  const asked = readAmounts(amounts);
  const isDrawn = (sample ?? largest) !== undefined;
  const isPart = hasRefundsOnly || isDrawn || plan !== undefined || Object.keys(asked).length > 0;
  return movementReport(context, on, async (given, whole) => {
    const needs = showsCard(options) ? 'card' : 'nothing';
    const { things, scope } = given;
    const plans = await plansOf(given, plan);
    const desk = { ...given, frame: { ...given.frame, amounts: asked, plans, needs } as const };
    const payer = await payerNamed(context, desk, customer);
    const wanted = await wantedRows(desk, payer, options);
    // The sums of a part are not those of the report.
    const own = isPart || payer ? await rowsOf(wanted) : undefined;
    const sums = own ? sumsOfRows(own) : whole;
    return {
      rows: withTies(
        desk.ledger,
        { things, scope },
        own ? largestOf(sampleOf(own, sample), largest) : wanted,
      ),
      title: payer ? `Statement of ${payer.shown}` : 'Charges and refunds',
      letter: isLetter ? letterOf(desk, sums, options, own) : undefined,
      restsOn: hasRefundsOnly ? undefined : restsOn(payer),
      notes: [
        ...(await notesOfPayer(desk, payer, own, hasDeclines)),
        ...notesOfRows(sums, own, options),
      ],
    };
  });
}

/** @returns the names of a plan in payments; the text itself if none is so called, which finds nothing */
async function plansOf(
  { things, scope }: MovementDesk,
  plan: string | undefined,
): Promise<string[]> {
  const plans = plan === undefined ? [] : await plansCalled(things, plan, scope);
  return plans.length > 0 ? plans : [plan ?? []].flat();
}

/** A table and a page have no column of cards, for which alone events are read as a whole. */
function showsCard({ output }: ReportOptions): boolean {
  const { fields, workbook } = output;
  if (fields !== undefined) return /(?:^|,)\s*card\b/.test(fields);
  const format = formatOf(output) ?? 'table';
  return workbook !== undefined || !['table', 'tsv', 'id'].includes(format);
}

/** @returns what the rows add up to, and how they were chosen if they are a part of the report */
function notesOfRows(
  sums: readonly Sum[],
  own: readonly Movement[] | undefined,
  options: ChargesOptions,
): string[] {
  const { hasDeclines, hasRefundsOnly, amounts = NO_AMOUNTS, plan, sample, largest } = options;
  const told = hasRefundsOnly ? sums.filter(({ what }) => what === 'refunds') : sums;
  return [
    ...planText(plan, own),
    ...amountsText(amounts),
    ...sumTexts(told, netWords(options)),
    ...(hasDeclines ? declinedTexts(sums).map(unpaidBehind) : []),
    ...(own?.length === 0 ? readingOf(amounts) : []),
    ...(own && sample ? [sampleText(own.length, sample)] : []),
    ...largestText(own ?? [], largest),
  ];
}

/** A refund of another amount or operator than its payment is not beside it, so nothing says what is left of that payment. */
function netWords(
  { amounts = NO_AMOUNTS, operator }: ChargesOptions,
  left = 'Left after refunds',
): string {
  const isApart = operator !== undefined || amountsText(amounts).length > 0;
  return isApart ? 'Sum of these rows' : left;
}

/** @returns a sentence about the typed amounts, if there are any */
function amountsText({ amount, min, max }: TypedAmounts): string[] {
  const said = [
    amount === undefined ? [] : neutralise(amount),
    min === undefined ? [] : `at least ${neutralise(min)}`,
    max === undefined ? [] : `at most ${neutralise(max)}`,
  ].flat();
  if (said.length === 0) return [];
  return [
    `Only amounts of ${said.join(' and ')}. Refunds go by their own amount, so some may be missing here.`,
  ];
}

/** @returns the rows of the period, or those of one person in it, as far as the options choose them */
async function wantedRows(
  desk: MovementDesk & { frame: MovementFrame },
  payer: NamedPayer | undefined,
  { hasDeclines, hasRefundsOnly = false, isWithoutNote = false }: ChargesOptions,
): Promise<Moved> {
  const moved = payer
    ? await rowsOfPayer(desk, desk.frame, payer, hasDeclines)
    : movementsIn(desk.things, desk.scope, desk.frame, hasDeclines);
  return chosen(moved, (one) => {
    if (hasRefundsOnly && one.what !== 'refund') return false;
    return !isWithoutNote || one.reason === null;
  });
}

const NO_AMOUNTS: TypedAmounts = { amount: undefined, min: undefined, max: undefined };

/** @returns for a report without rows, how the typed amounts were read */
function readingOf(amounts: TypedAmounts): string[] {
  return [amountReading(amounts).trimEnd()].filter(Boolean);
}

/** @returns some of the rows, in their order: for one seed the same ones on every machine, in whatever order they come */
function sampleOf(rows: readonly Movement[], sample: Sample | undefined): readonly Movement[] {
  if (!sample) return rows;
  const { size, seed } = sample;
  const lots = rows.map((row) => [sha256(JSON.stringify([seed, row.id])), row] as const);
  const drawn = lots.sort(([one], [other]) => compareValues(one, other)).slice(0, size);
  const taken = new Set(drawn.map(([, row]) => row));
  return rows.filter((row) => taken.has(row));
}

/** @returns whose plan the rows are, and where to look if there are none; empty without a plan */
function planText(plan: string | undefined, own: readonly Movement[] | undefined): string[] {
  if (plan === undefined) return [];
  const hint = own?.length === 0 ? ' `gw plan list` shows the plans of the account.' : '';
  return [`Only those of plan ${neutralise(plan)}.${hint}`];
}

/** @returns how many of the rows are listed; empty if all are */
function largestText(own: readonly Movement[], largest: number | undefined): string[] {
  const shown = largestOf(own, largest).length;
  if (shown === own.length) return [];
  return [`Only the largest: ${count(shown)} of ${count(own.length)}. The sums are those of all.`];
}

/** @returns the largest of each currency, whatever their sign, the largest first; all in their order if no number is given */
function largestOf(rows: readonly Movement[], most: number | undefined): readonly Movement[] {
  if (most === undefined) return rows;
  const size = ({ amount }: Movement) => Math.abs(amount ?? 0);
  const sorted = rows.toSorted(
    (one, other) => byCurrency(one, other) || compareValues(size(other), size(one)),
  );
  const places = new Map<string | null, number>();
  return sorted.filter(({ currency }) => {
    const place = (places.get(currency) ?? 0) + 1;
    places.set(currency, place);
    return place <= most;
  });
}

/** @param all the number of rows of which a sample has some */
function sampleText(all: number, { size, seed }: Sample): string {
  const drawn = `${count(Math.min(size, all))} of ${count(all)}`;
  return `Sample: ${drawn}, seed ${neutralise(seed)}. The sums are those of all.`;
}

function movementsView({ output: { isForExcel = false, workbook } }: ReportOptions) {
  return isForExcel || workbook !== undefined ? LOCAL_MOVEMENTS_VIEW : MOVEMENTS_VIEW;
}

/** @returns whose the rows are, and what happened if there are none; empty for a report of everybody */
async function notesOfPayer(
  desk: MovementDesk,
  payer: NamedPayer | undefined,
  own: readonly Movement[] | undefined,
  hasDeclines: boolean,
): Promise<string[]> {
  if (!payer || !own) return [];
  const whose = `Only those of ${payer.shown}.`;
  if (own.length > 0) return [whose];
  const { length } = hasDeclines ? [] : await rowsOfPayer(desk, desk.frame, payer, true);
  if (length === 0) return [whose, 'No payments of theirs are known in this period.'];
  const tried = quantity(length, 'declined attempt', 'declined attempts');
  return [whose, `Nothing was paid or refunded in this period: ${tried}, which --declines lists.`];
}

const unpaidBehind = (text: string) => `${text} \`gw report unpaid\` lists what is still unpaid.`;

/** @returns the lines of a statement that goes to the customer: they name no profile, and no command */
function letterOf(
  { frame, period, zone, instant }: ReportDesk,
  sums: readonly Sum[],
  options: ChargesOptions,
  own: readonly Movement[] = [],
): string[] {
  const { hasDeclines, amounts = NO_AMOUNTS, plan, largest } = options;
  const { first, next } = period;
  const isAll = isWithoutLimit(frame.from, frame.until);
  const until = isAll ? zone.dayOf(instant.getTime()) : addDays(next, -1);
  const texts = sumTexts(sums, netWords(options, 'Paid, less refunds'));
  return [
    isAll ? `Until ${until}` : `${first} to ${until}`,
    ...(plan === undefined ? [] : [`Only those of plan ${neutralise(plan)}.`]),
    ...amountsText(amounts),
    ...(sums.length === 0 ? ['No payments are known in this period.'] : texts),
    ...(hasDeclines ? declinedTexts(sums) : []),
    ...largestText(own, largest),
  ];
}

/**
 * @param words the name of a customer, and perhaps a period beside it
 * @throws Failure usage as `runChargesReport`
 */
export function runCustomerStatement(
  context: Context,
  words: readonly string[],
  given: ReportOptions & Pick<ChargesOptions, 'hasDeclines'>,
): Promise<void> {
  const isRange = (given.since ?? given.until) !== undefined;
  const { name: customer, period: date } = isRange
    ? { name: words.join(' '), period: undefined }
    : periodBeside(words);
  const options = withoutLimit({ ...given, date });
  return runChargesReport(context, { ...options, customer });
}

type Sum = Pick<ReportRow, 'what' | 'count' | 'amount' | 'currency'>;

const SUMS = {
  purchase: 'purchases',
  charge: 'charges',
  refund: 'refunds',
  declined: 'declines',
} as const;

/** @returns the sums of these rows as a report has them, by currency; refunds have no sign */
function sumsOfRows(rows: readonly Movement[]): Sum[] {
  return [...new Set(rows.map(({ currency }) => currency))].flatMap((currency) => {
    const own = rows.filter((row) => row.currency === currency);
    const amountOf = (some: readonly Movement[]) =>
      some.reduce((sum, { amount }) => sum + BigInt(amount ?? 0), 0n);
    const each = Object.entries(SUMS).flatMap(([kind, what]): Sum[] => {
      const some = own.filter((row) => row.what === kind);
      const amount = amountOf(some);
      return some.length === 0
        ? []
        : [{ what, count: some.length, amount: amount < 0n ? -amount : amount, currency }];
    });
    const net = amountOf(own.filter(({ what }) => what !== 'declined'));
    return [...each, { what: 'net', count: null, amount: net, currency }];
  });
}

/** @returns the movements with the references of their plans, and refunds with the card of what they refund, and who approved them */
async function* withTies(
  ledger: Pick<Ledger, 'entries'>,
  known: Known,
  moved: Moved,
): AsyncGenerator<Movement> {
  for await (const some of pagesOf(moved, AT_ONCE)) {
    const purchases = some.map(({ purchase }) => purchase);
    const paid = byName(await tiedTo(known, ['purchase'], purchases));
    const approvers = await approversOf(
      ledger,
      some.filter(({ what }) => what === 'refund'),
    );
    for (const one of some) {
      one.approvedBy = approvers.get(one.id) ?? null;
      const purchase = paid.get(one.purchase ?? '');
      one.card ??= purchase ? cardDigits(purchase) : null;
    }
    const ids = some.map(({ plan }) => plan);
    const plans = byName(await tiedTo(known, ['plan'], ids, 'nothing'));
    for (const one of some) one.plan = plans.get(one.plan ?? '')?.reference ?? one.plan;
    yield* some;
  }
}

/** @returns who approved what, by the id of the thing: entries say so, and the table of things has only who proposed */
export async function approversOf(
  ledger: Pick<Ledger, 'entries'>,
  some: readonly Pick<Thing, 'id' | 'sources'>[],
): Promise<Map<string, string>> {
  const named = some.map(
    ({ id, sources }) => [id, Object.keys(sources.requests)[0] ?? ''] as const,
  );
  const ids = named.flatMap(([, entry]) => (entry === '' ? [] : [entry]));
  const entries = ids.length === 0 ? [] : await ledger.entries(ids);
  const approvers = new Map(entries.map(({ id, approvedBy }) => [id, approvedBy]));
  return new Map(
    named.flatMap(([id, entry]) => {
      const approver = approvers.get(entry);
      return approver ? [[id, approver] as const] : [];
    }),
  );
}

/** @param net the words for what is left @returns a sentence for each sum of money that moved */
function sumTexts(sums: readonly Sum[], net: string): string[] {
  return sums.flatMap(({ what, count, amount, currency }) => {
    if (what === 'declines' || what === 'other' || what === 'unknown' || what === 'heard')
      return [];
    const sum = moneyText(amount ?? 0n, currency);
    const name = count === null ? net : quantity(count, what.slice(0, -1), what);
    return `${name}: ${sum}.`;
  });
}

/** @returns a sentence for each currency; each retry is an attempt at the same money */
function declinedTexts(sums: readonly Sum[]): string[] {
  const declines = sums.filter(({ what }) => what === 'declines');
  const currencies = [...new Set(declines.map(({ currency }) => currency))];
  return currencies.map((currency) => {
    const own = declines.filter((one) => one.currency === currency);
    const tries = own.reduce((sum, { count }) => sum + (count ?? 0), 0);
    const amount = own.reduce((sum, one) => sum + (one.amount ?? 0n), 0n);
    return `${quantity(tries, 'declined attempt', 'declined attempts')}: ${moneyText(amount, currency)}.`;
  });
}

/** @param customer an id, a reference, an email or a name, of which only the doubles are wanted */
export function runDoublesReport(
  context: Context,
  { customer, ...given }: ReportOptions & { customer: string | undefined },
): Promise<void> {
  const on = { options: orRecent(given), view: DOUBLES_VIEW };
  return movementReport(context, on, async (desk) => {
    const { things, scope, frame } = desk;
    const known = { things, scope };
    const payer = await payerNamed(context, desk, customer);
    const all = await refundedDoubles(known, await doublesIn(things, scope, frame));
    const own = payer && (await ofPayer(known, all.flat(), payer));
    const doubles = all.filter((group) => !own || group.some((one) => own.includes(one)));
    const rows = doubles.flatMap((group, n) => group.map((one) => ({ ...one, double: n + 1 })));
    const found = quantity(doubles.length, 'payment was', 'payments were');
    const open = doubles.filter(isOpen).length;
    const done =
      doubles.length === open ? '' : ` ${count(doubles.length - open)} of them refunded since.`;
    const whose = payer ? [`Only those of ${payer.shown}.`] : [];
    const what = `${found} made again within a day: the same card, the same amount.${done}`;
    const notes = [...whose, what];
    const title = 'What may have been charged twice';
    return { rows, notes, title, restsOn: restsOn(payer) };
  });
}

export function runCustomersReport(
  context: Context,
  { limit, amounts, ...options }: ReportOptions & { limit: number } & Pick<RowChoice, 'amounts'>,
): Promise<void> {
  const on = { options, view: CUSTOMERS_VIEW };
  const asked = readAmounts(amounts);
  return movementReport(context, on, async ({ things, scope, frame }) => {
    const paid = await customersOf(
      { things, scope },
      movementsIn(things, scope, { ...frame, needs: 'nothing' }),
    );
    const all = paid.filter((one) => hasAmount(asked, netOf(one), one.currency));
    // Amounts of different currencies do not compare, so each currency has its own first customers.
    const currencies = [...new Set(all.map(({ currency }) => currency))];
    const rows = currencies.flatMap((code) =>
      all.filter(({ currency }) => currency === code).slice(0, limit),
    );
    const left = all.length - rows.length;
    const more = `${quantity(left, 'more customer', 'more customers')} paid, or got money back. Use --limit to see more.`;
    const none = all.length === 0 ? readingOf(amounts) : [];
    return { rows, notes: left > 0 ? [more] : none, title: 'Customers' };
  });
}

/** @returns a row for each customer and currency, by currency, the largest net first */
async function customersOf(known: Known, moved: AsyncIterable<Movement>): Promise<CustomerTotal[]> {
  const rows = new Map<string, CustomerTotal>();
  for await (const some of pagesOf(moved, AT_ONCE)) {
    for (const [one, payer] of await payersOf(known, some)) addTo(rows, one, payer);
  }
  return [...rows.values()].sort(
    (one, other) => byCurrency(one, other) || compareValues(netOf(other), netOf(one)),
  );
}

const netOf = ({ paid, refunded }: CustomerTotal) => paid - refunded;

function addTo(
  rows: Map<string, CustomerTotal>,
  { amount, currency, what, profile }: Movement,
  { key: whose, ...payer }: PayingCustomer,
): void {
  const key = JSON.stringify([currency, whose]);
  const none = { payments: 0, paid: 0n, refunds: 0, refunded: 0n };
  const row = rows.get(key) ?? { ...payer, currency, profile, ...none };
  const money = BigInt(Math.abs(amount ?? 0));
  if (what === 'refund') row.refunds++;
  else row.payments++;
  row[what === 'refund' ? 'refunded' : 'paid'] += money;
  rows.set(key, row);
}

function movementReport<Row>(
  context: Context,
  on: { options: ReportOptions; view: OwnView<Row> },
  work: (
    desk: ReportDesk & Pick<Ledger, 'things'>,
    sums: readonly ReportRow[],
  ) => Promise<Omit<Reported<Row>, 'charts'>>,
): Promise<void> {
  return report(context, on, async (desk) => {
    const { scope, frame, ledger } = desk;
    const { things } = ledger;
    const sums = await moneyReport(things, scope, frame);
    const { notes, ...found } = await work({ ...desk, things }, sums.rows);
    return { restsOn: {}, ...found, notes: [...(await notesOf(desk, sums)), ...notes] };
  });
}
