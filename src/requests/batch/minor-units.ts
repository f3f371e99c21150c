/**
 * Says how the amounts of a sheet are read where a person may mean others: a spreadsheet writes 18.00 as 18, and gw reads
 * `amount` in minor units. What somebody stated is taken, and a guess of gw's is not sent where both may be meant.
 *
 * Tests: test/scripts/commands/batch-sheet.script
 */
import { quotedText, shellWord } from '../../base/shell.ts';
import type { GatewayConnection } from '../../client/connection/call.ts';
import { targetOf } from '../../client/exchange/said-money.ts';
import { currencyExponent, USUAL_EXPONENT } from '../../contract/currency.ts';
import { moneyText } from '../../contract/money.ts';
import { usage } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { leftOf } from '../../journal/balance.ts';
import { type Line, lineAmount } from './engine/batch.ts';
import type { CheckedBatch } from './send-line.ts';

/**
 * Says in a dry run what the amounts of a column `amount` are, and in every run if the column is written otherwise.
 * @throws Failure usage if gw guessed the column, and the purchases have as much left as the same numbers of money
 */
export async function checkMinorUnits(
  { stderr }: Pick<Host, 'stderr'>,
  { ledger }: Pick<GatewayConnection, 'ledger'>,
  { operation, source, plan, options }: Omit<CheckedBatch, 'id'>,
): Promise<void> {
  const lines = plan.lines.filter(({ row }) => row.isText && row.fields.amount !== undefined);
  const [line] = lines;
  const amount = line && lineAmount(line);
  if (!line || amount == null) return;
  const column = source.columns.guessed('amount');
  const is = `The amounts are minor units: ${amount} is ${moneyText(amount, line.currency)}.`;
  const money = `--map decimal_amount=${shellWord(column ?? 'amount')}`;
  if (column !== undefined && operation.money?.givesBack) {
    const targets = lines.flatMap((one) => targetOf(operation, one) ?? []);
    const balances = await ledger.balances([...new Set(targets)]);
    const known = lines.flatMap((one) => {
      const balance = balances.get(targetOf(operation, one) ?? '');
      return balance ? [{ one, left: leftOf(balance) }] : [];
    });
    if (known.length > 0 && known.every(({ one, left }) => isAmbiguous(one, left)))
      throw usage(
        'amounts-ambiguous',
        `The column ${quotedText(column)} may be minor units or money: ${amount} is ${moneyText(amount, line.currency)} or ${moneyText(asMoney(line), line.currency)}, and each purchase has enough left for both.`,
        `Add --map amount=${shellWord(column)} for minor units, or ${money} for money.`,
      );
  }
  if (options.request.isDryRun || column !== undefined)
    await stderr.write(`${is} If they are money, add ${money}.\n`);
}

function isAmbiguous(line: Line, left: number): boolean {
  const money = asMoney(line);
  return money !== lineAmount(line) && money <= left;
}

/** @returns the minor units of the amount of a line if it is money */
function asMoney(line: Line): number {
  const exponent = currencyExponent(line.currency ?? '') ?? USUAL_EXPONENT;
  return (lineAmount(line) ?? 0) * 10 ** exponent;
}
