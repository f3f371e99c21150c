/**
 * Notices whole units of the currency in a column of minor units, before anything is sent. A refund then asks for
 * exactly a hundredth of what was paid. A purchase has nothing to be compared with, so a sheet is only read back to the
 * user, and in a real run only if none of its amounts reaches one unit.
 *
 * Tests: test/scripts/commands/batch-units.script
 */
import { quotedText, shellWord } from '../../base/shell.ts';
import { count, plural } from '../../base/text.ts';
import type { LedgerAccess } from '../../client/connection/ledger-access.ts';
import { refusal } from '../../client/connection/refusals.ts';
import { targetOf } from '../../client/exchange/said-money.ts';
import { minorUnitsOfOne, moneyText } from '../../contract/money.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Host } from '../../host/host.ts';
import { leftOf } from '../../journal/balance.ts';
import type { FieldColumns } from './engine/columns.ts';
import type { Plan } from './engine/preflight.ts';

/** A line with an amount in minor units, and what was paid. */
interface Compared {
  line: number;
  amount: number;
  currency: string | undefined;
  paid: number;
  /** The minor units of one unit, if money in the place of minor units would be what was paid, or is left. */
  factor: number | undefined;
}

/** @throws Failure guard if most of the refunds whose purchase is known ask for a hundredth of what was paid, or is left */
export async function refuseMistakenUnits(
  ledger: Pick<LedgerAccess, 'balances' | 'currenciesOf'>,
  { operation, plan, columns }: { operation: Operation; plan: Plan; columns: FieldColumns },
): Promise<void> {
  const compared = await comparedWithPaid(ledger, operation, plan);
  const mistaken = compared.filter(({ factor }) => factor !== undefined);
  const [first] = mistaken;
  if (!first || mistaken.length * 2 <= compared.length) return;
  const { line, amount, currency, paid, factor } = first;
  const [asked, was] = [amount, paid].map((minor) => moneyText(minor, currency));
  const column = amountColumn(columns);
  const asMoney =
    column === undefined
      ? `write them as decimal_amount, such as ${quotedText(`${amount}.00`)}`
      : `read the column with --map decimal_amount=${shellWord(column)}`;
  throw refusal(
    'amounts-in-other-unit',
    `The amounts are minor units, and ${count(mistaken.length)} of ${count(compared.length)} ${plural(mistaken.length, 'is', 'are')} exactly 1/${factor} of what was paid or is left: line ${line} refunds ${asked} of ${was}.`,
    `If the amounts are money, ${asMoney}. If they are meant so, add --as-written.`,
  );
}

async function comparedWithPaid(
  ledger: Pick<LedgerAccess, 'balances' | 'currenciesOf'>,
  operation: Operation,
  { lines }: Plan,
): Promise<Compared[]> {
  if (operation.money?.givesBack === undefined) return [];
  const minor = lines.filter(({ row }) => row.fields.amount !== undefined);
  const purchases = [...new Set(minor.flatMap((line) => targetOf(operation, line) ?? []))];
  const [balances, currencies] = [
    await ledger.balances(purchases),
    await ledger.currenciesOf(purchases),
  ];
  return minor.flatMap((line): Compared[] => {
    const { number, body, currency: said } = line;
    const id = targetOf(operation, line) ?? '';
    const balance = balances.get(id);
    const { amount } = body;
    if (!balance || balance.paid === 0 || typeof amount !== 'number') return [];
    const currency = said ?? currencies.get(id);
    const factor = minorUnitsOfOne(currency);
    const { paid } = balance;
    const isMoney = factor > 1 && [paid, leftOf(balance)].includes(amount * factor);
    return [{ line: number, amount, currency, paid, factor: isMoney ? factor : undefined }];
  });
}

/** Says how the amounts of a sheet are read: whoever writes 5 above dollars sees it before anything is sent. */
export async function sayMinorUnits(
  { stderr }: Pick<Host, 'stderr'>,
  { lines }: Plan,
  { columns, isDryRun }: { columns: FieldColumns; isDryRun: boolean },
): Promise<void> {
  const given = lines.filter(({ row }) => row.isText && row.fields.amount !== undefined);
  const reachesOne = given.some(
    ({ body, currency }) => Number(body.amount) >= minorUnitsOfOne(currency),
  );
  const [line] = given;
  if (!line || typeof line.body.amount !== 'number' || (reachesOne && !isDryRun)) return;
  const money = moneyText(line.body.amount, line.currency);
  const column = shellWord(amountColumn(columns) ?? 'amount');
  await stderr.write(
    `The amounts are minor units: ${line.body.amount} is ${money}. If they are money, read them with --map decimal_amount=${column}.\n`,
  );
}

/** @returns the column of the file that has the amounts; undefined for JSON */
function amountColumn({ header, names }: FieldColumns): string | undefined {
  return header?.cells[names.indexOf('amount')];
}
