/**
 * Says how the amounts of a sheet are read where a person may mean others: a spreadsheet writes 18.00 as 18, and gw reads
 * `amount` in minor units. What somebody stated is taken, and nothing is sent while both may be meant. JSON is written by
 * programs, and not doubted.
 *
 * Tests: test/scripts/commands/batch-sheet.script, test/scripts/commands/batch-units.script
 */
import { quotedText, shellWord } from '../../base/shell.ts';
import { count, plural } from '../../base/text.ts';
import type { GatewayConnection } from '../../client/connection/call.ts';
import { targetOf } from '../../client/exchange/said-money.ts';
import { minorUnitsOfOne, moneyText } from '../../contract/money.ts';
import { usage } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { leftOf } from '../../journal/balance.ts';
import { type Line, lineAmount } from './engine/batch.ts';
import type { FieldColumns } from './engine/columns.ts';
import { howToMap } from './meant-command.ts';
import type { CheckedBatch } from './send-line.ts';

/** A sheet has one unit, so its first lines tell. */
const MOST_COMPARED = 500;

/**
 * Says what the amounts of a column `amount` are: in a dry run, if the column is written otherwise, and if no amount
 * reaches one unit of its currency.
 * @param words those of the command after `gw`, the file last
 * @throws Failure usage if gw guessed the column, and the purchases have as much left as the same numbers of money; or if
 *   most numbers as money are exactly what was paid or is left
 */
export async function checkMinorUnits(
  { stderr }: Pick<Host, 'stderr'>,
  { ledger }: Pick<GatewayConnection, 'ledger'>,
  { operation, source: { columns }, plan, options }: Omit<CheckedBatch, 'id'>,
  words: readonly string[],
): Promise<void> {
  const some = amountsIn(columns, plan.lines, MOST_COMPARED);
  const [line] = some;
  const amount = line && lineAmount(line);
  if (!line || amount == null) return;
  const isGuessed = columns.guessed('amount') !== undefined;
  const column = columns.header?.cells[columns.placeOf('amount')] ?? 'amount';
  const money = `--map decimal_amount=${shellWord(column)}`;
  if (operation.money?.givesBack && !options.isAsWritten) {
    const doubt = await doubtOf(ledger, { operation, some, isGuessed });
    if (doubt !== undefined)
      throw usage(
        'amounts-ambiguous',
        `The column ${quotedText(column)} may be minor units or money: ${doubt}.`,
        `If they are money, ${howToMap(words, options, ['decimal_amount', column])}; if they are minor units, add ${isGuessed ? `--map amount=${shellWord(column)}` : '--as-written'}.`,
        { sent: false },
      );
  }
  const isSaid = options.request.isDryRun || isGuessed;
  if (isSaid || (!options.isAsWritten && areBelowOne(plan.lines)))
    await stderr.write(
      `The amounts are minor units: ${amount} is ${moneyText(amount, line.currency)}. If they are money, add ${money}.\n`,
    );
}

/** @returns the first lines of a table whose column `amount` has something */
function amountsIn(columns: FieldColumns, lines: Iterable<Line>, most: number): Line[] {
  const some: Line[] = [];
  if (!columns.names.includes('amount')) return some;
  for (const line of lines) {
    if (line.row.fields.amount !== undefined) some.push(line);
    if (some.length === most) break;
  }
  return some;
}

/** @returns whether no amount of the column `amount` reaches one unit of its currency */
function areBelowOne(lines: Iterable<Line>): boolean {
  for (const line of lines) {
    const isAmount = line.row.fields.amount !== undefined;
    if (isAmount && (lineAmount(line) ?? 0) >= minorUnitsOfOne(line.currency)) return false;
  }
  return true;
}

/** @returns why the numbers of refunds may be money, as the rest of a sentence; undefined if they may not */
async function doubtOf(
  ledger: GatewayConnection['ledger'],
  {
    operation,
    some,
    isGuessed,
  }: Pick<CheckedBatch, 'operation'> & { some: readonly Line[]; isGuessed: boolean },
): Promise<string | undefined> {
  const purchases = [...new Set(some.flatMap((line) => targetOf(operation, line) ?? []))];
  const balances = await ledger.balances(purchases);
  const currencies = await ledger.currenciesOf(purchases);
  const known = some.flatMap((line) => {
    const id = targetOf(operation, line) ?? '';
    const [balance, amount] = [balances.get(id), lineAmount(line)];
    if (!balance || balance.paid === 0 || amount == null) return [];
    const currency = line.currency ?? currencies.get(id);
    const money = amount * minorUnitsOfOne(currency);
    return [{ amount, money, currency, paid: balance.paid, left: leftOf(balance) }];
  });
  const [first] = known.filter(({ amount, money }) => money !== amount);
  if (!first) return undefined;
  const [minor, whole] = [first.amount, first.money].map((n) => moneyText(n, first.currency));
  const both = `${first.amount} is ${minor} or ${whole}`;
  if (isGuessed && known.every(({ amount, money, left }) => money !== amount && money <= left))
    return `${both}, and each purchase has enough left for both`;
  const exact = known.filter(
    ({ amount, money, paid, left }) => money !== amount && [paid, left].includes(money),
  ).length;
  return exact * 2 > known.length
    ? `${both}, and as money, ${count(exact)} of ${count(known.length)} ${plural(exact, 'is', 'are')} exactly what was paid or is left`
    : undefined;
}
