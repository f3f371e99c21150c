/**
 * The summary of a reconciliation on stderr.
 *
 * Tests: test/scripts/commands/reconcile-matches.script, test/scripts/commands/reconcile-bank.script
 */
import { commandText } from '../../base/shell.ts';
import { count, plural, quantity } from '../../base/text.ts';
import { moneyText } from '../../contract/money.ts';
import type { Covered } from './covered.ts';
import type { ReconcileOptions } from './reconcile-options.ts';
import { BRIEF, RECONCILED_OUTCOMES, type ReconciledOutcome } from './reconciled-row.ts';
import type { Reconciliation } from './reconciliation.ts';
import type { ClassSums, Sides, SideTotals, SumClass } from './totals.ts';

const WORDS: Readonly<Record<ReconciledOutcome, readonly [one: string, many: string]>> = {
  matches: ['matches', 'match'],
  'after-fee': ['matches after a fee', 'match after a fee'],
  differs: ['differs', 'differ'],
  late: ['late', 'late'],
  'not-compared': ['not compared', 'not compared'],
  repeats: ['repeats another', 'repeat another'],
  'not-found': ['not found', 'not found'],
  ambiguous: ['ambiguous', 'ambiguous'],
  'not-asked': ['not asked', 'not asked'],
  unrelated: ['not of this gateway', 'not of this gateway'],
  'missing-in-file': ['not in the file', 'not in the file'],
};

type Tally = Readonly<Record<ReconciledOutcome, number>>;

/** @returns for example `1,990 match, 1 differs, 3 not found` */
export function tallyWords(tally: Tally): string {
  const parts = RECONCILED_OUTCOMES.filter((name) => tally[name] > 0).map((name) =>
    quantity(tally[name], ...WORDS[name]),
  );
  return parts.length > 0 ? parts.join(', ') : 'nothing compared';
}

/** @returns a line about results that are counted and not printed; empty if all are printed */
export function hiddenText(tally: Tally, { isBrief }: Pick<ReconcileOptions, 'isBrief'>): string {
  const hidden = BRIEF.filter((name) => tally[name] > 0);
  if (!isBrief || hidden.length === 0) return '';
  const rows = hidden.reduce((sum, name) => sum + tally[name], 0);
  return `${count(rows)} of these ${plural(rows, 'is', 'are')} not listed: --outcome ${hidden.join(',')} does.\n`;
}

/** @returns how many amounts were compared, and which refunds are in the sums */
export function comparedText({
  compared,
  refunded,
}: Pick<Reconciliation, 'compared' | 'refunded'>): string {
  if (compared === 0) return 'No amount was compared.\n';
  const were = plural(compared, 'amount was', 'amounts were');
  const money = [...refunded].map(([currency, amount]) => moneyText(amount, currency));
  const back =
    money.length > 0
      ? `Of these purchases, ${money.join(' and ')} was refunded, as this ledger knows. A refund of a day outside of the file is in no sum, unless a row has it.\n`
      : '';
  return `${count(compared)} ${were} compared. Sums deduct the refunds that are rows, or that the file lacks.\n${back}`;
}

/**
 * @returns a line for each class of rows and currency, right-aligned under a header. Only rows that were compared have a
 *   difference, so it never has rows that one side lacks; below stands what each side has in all. Empty if nothing was
 *   counted
 */
export function reconciledText(sums: ClassSums): string {
  const currencies = [...new Set([...sums.values()].flatMap((of) => [...of.keys()]))]
    // The currency that nobody knows stands last.
    .sort((one, other) => ((one || '~') < (other || '~') ? -1 : 1));
  const classes = (['compared', ...RECONCILED_OUTCOMES] as const).filter((name) => sums.has(name));
  const rows = currencies.flatMap((currency) => {
    const parts = classes.flatMap((name) => {
      const sides = sums.get(name)?.get(currency);
      return sides ? [{ name, sides }] : [];
    });
    const all = parts.reduce(
      ({ file, gateway }, { sides }) => ({
        file: file + sides.file,
        gateway: gateway + sides.gateway,
      }),
      { file: 0n, gateway: 0n },
    );
    return [
      ...parts.map(({ name, sides }) => sumRow(name, sides, currency)),
      ...(parts.length > 1 ? [sumRow('all', all, currency)] : []),
    ];
  });
  if (rows.length === 0) return '';
  const lines = [['', 'file says', 'gateway says', 'gateway less file'], ...rows];
  const widths = [0, 1, 2, 3].map((i) => Math.max(...lines.map((cells) => cells[i]?.length ?? 0)));
  const cellOf = (cell: string, i: number) =>
    i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0);
  return lines.map((cells) => `${cells.map(cellOf).join('  ').trimEnd()}\n`).join('');
}

function sumRow(name: SumClass | 'all', { file, gateway }: Sides, currency: string): string[] {
  const money = (net: bigint) => moneyText(net, currency);
  if (name === 'compared') return [name, ...[file, gateway, gateway - file].map(money)];
  if (name === 'all') return [name, money(file), money(gateway)];
  const words = WORDS[name][1];
  return name === 'missing-in-file' ? [words, '', money(gateway)] : [words, money(file)];
}

/** @returns a note about rows that no sum has; empty if there are none */
export function uncountedText({ withoutAmount }: Pick<Reconciliation, 'withoutAmount'>): string {
  return withoutAmount > 0
    ? `These sums leave out ${quantity(withoutAmount, 'row', 'rows')} without an amount.\n`
    : '';
}

/** @param run its file, and what was typed @returns a sentence about known records that the file lacks */
export function coverageText(
  {
    sums,
    tally,
    charges,
    areRefunds,
  }: Pick<Reconciliation, 'sums' | 'tally' | 'charges' | 'areRefunds'>,
  covered: Covered | undefined,
  {
    source,
    options: { zone, isWithoutSubscriptions, batch },
  }: {
    source: string;
    options: Pick<ReconcileOptions, 'zone' | 'isWithoutSubscriptions' | 'batch'>;
  },
): string {
  if (!covered)
    return 'gw cannot tell what the file lacks, because its records do not show the period. Give it with --since and --until.\n';
  const day = (instant: number) => zone.dayOf(instant);
  const first = day(Date.parse(covered.since));
  const last = day(Date.parse(covered.until) - 1);
  const period = first === last ? `On ${first}` : `From ${first} to ${last}`;
  const n = tally['missing-in-file'];
  const what =
    n === 0
      ? 'the file has every record that this ledger knows'
      : `this ledger knows ${quantity(n, 'record', 'records')} that the file lacks, ${moneyOf(sums.get('missing-in-file') ?? new Map(), 'gateway')}`;
  const isOfSales = charges.found === 0 && charges.missing > 0;
  const flags = Object.entries({ ...batch.typed, 'without-subscriptions': true });
  const command = source === '-' ? undefined : commandText(['reconcile', source], flags);
  const withoutThem = command === undefined ? '--without-subscriptions' : `\`${command}\``;
  const hint = isOfSales
    ? ` ${count(charges.missing)} of them ${plural(charges.missing, 'is a charge', 'are charges')} of subscriptions, and no row is one. If the file is of other sales alone, ${withoutThem} leaves them out.`
    : '';
  const besides = areRefunds
    ? ', of refunds alone as the file is'
    : isWithoutSubscriptions
      ? ' and besides charges of subscriptions'
      : '';
  return `${period} (${zone.name})${besides}, ${what}.${hint}\n`;
}

function moneyOf(totals: SideTotals, side: keyof Sides): string {
  return [...totals].map(([currency, sides]) => moneyText(sides[side], currency)).join(' and ');
}
