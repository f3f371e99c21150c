/** An amount as people say it, as the minor units that it is in each currency. */
import { currencyExponents, USUAL_EXPONENT } from '../contract/currency.ts';
import { parseDecimal } from '../contract/money.ts';

/** No amount of a record. */
const NO_AMOUNT = -1;

export interface MinorUnits {
  usual: number;
  /** Of currencies with other decimals, by their codes. */
  others: Readonly<Record<string, number>>;
}

/** @param money a decimal such as `25.00`; -1 stands for an amount that a currency cannot have */
export function minorUnitsOf(money: string): MinorUnits {
  const of = (exponent: number) => parseDecimal(money, exponent) ?? NO_AMOUNT;
  const others = [...currencyExponents()]
    .filter(([, exponent]) => exponent !== USUAL_EXPONENT)
    .map(([code, exponent]) => [code, of(exponent)]);
  return { usual: of(USUAL_EXPONENT), others: Object.fromEntries(others) };
}
