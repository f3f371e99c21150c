/** The summary of a reconciliation on stderr. */
import { count, plural, quantity } from '../../base/text.ts';
import type { TimeZone } from '../../base/time-zone.ts';
import { moneyText } from '../../contract/money.ts';
import type { Covered } from './covered.ts';
import { RECONCILED_OUTCOMES, type ReconciledOutcome } from './reconciled-row.ts';
import type { Reconciliation } from './reconciliation.ts';
import type { Sides, SideTotals } from './totals.ts';

const WORDS: Readonly<Record<ReconciledOutcome, readonly [one: string, many: string]>> = {
  matches: ['matches', 'match'],
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

/** @returns how many amounts were compared, and their net totals by the file */
export function comparedText({ compared }: Pick<Reconciliation, 'compared'>): string {
  if (compared.count === 0) return 'No amount was compared.\n';
  const were = plural(compared.count, 'amount was', 'amounts were');
  return `${count(compared.count)} ${were} compared: ${moneyOf(compared.totals, 'file')} after refunds.\n`;
}

/** @returns a line for each currency, right-aligned under a header; empty if nothing was counted */
export function reconciledText(totals: SideTotals): string {
  if (totals.size === 0) return '';
  const rows = [...totals]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, { file, gateway }]) => {
      const code = currency === '' ? undefined : currency;
      return [file, gateway, gateway - file].map((net) => moneyText(net, code));
    });
  const lines = [['file says', 'gateway says', 'difference'], ...rows];
  const widths = [0, 1, 2].map((i) => Math.max(...lines.map((cells) => cells[i]?.length ?? 0)));
  return lines
    .map((cells) => `${cells.map((cell, i) => cell.padStart(widths[i] ?? 0)).join('  ')}\n`)
    .join('');
}

/** @returns a note about rows that both totals leave out; empty if there are none */
export function uncountedText({ uncounted }: Pick<Reconciliation, 'uncounted'>): string {
  const { notAsked, withoutAmount } = uncounted;
  const parts = [
    notAsked > 0 && `${count(notAsked)} that could not be checked`,
    withoutAmount > 0 && `${count(withoutAmount)} without an amount`,
  ].filter(Boolean);
  return parts.length > 0 ? `These sums leave out rows: ${parts.join(', ')}.\n` : '';
}

/** @returns a sentence about known records that the file lacks */
export function coverageText(
  { missing, tally }: Pick<Reconciliation, 'missing' | 'tally'>,
  covered: Covered | undefined,
  zone: TimeZone,
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
      : `this ledger knows ${quantity(n, 'record', 'records')} that the file lacks, ${moneyOf(missing, 'gateway')}`;
  return `${period} (${zone.name}), ${what}.\n`;
}

function moneyOf(totals: SideTotals, side: keyof Sides): string {
  return [...totals].map(([currency, sides]) => moneyText(sides[side], currency)).join(' and ');
}
