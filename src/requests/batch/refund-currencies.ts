/**
 * The currencies that the amounts of a batch of refunds are in. A refund names none (section 2.4): it is in that
 * of its purchase. The currencies of purchases are looked up once, before anything is sent, so that both passes
 * over the input read the same.
 */
import type { Json } from '../../base/json.ts';
import { quotedText } from '../../base/shell-word.ts';
import { currencyCode, currencyExponent } from '../../contract/currency.ts';

/** What a line says of its amount. */
export interface AskedCurrency {
  /** Id of the purchase, null where the line has none. */
  purchase: string | null;
  /** What it has for the currency. */
  currency: Json | undefined;
  /** Whether its amount is a decimal one. */
  isDecimal: boolean;
}

export class RefundCurrencies {
  /** Lines with decimals of whose currency nothing is known but the profile's. */
  assumed = 0;
  readonly #usual: string | undefined;
  /** By purchase, those that are not the profile's own: of most files there are few or none. */
  readonly #others = new Map<string, string>();
  /** Purchases in the profile's own of which another is said, which no line may. */
  readonly #usuals = new Set<string>();

  /** @param usual ISO 4217 code of the profile, where it has one */
  constructor(usual: string | undefined) {
    this.#usual = usual;
  }

  /** @param known ISO 4217 codes of the purchases, by their ids; of those that are known */
  learn(lines: readonly AskedCurrency[], known: ReadonlyMap<string, string>): void {
    for (const { purchase, currency: said, isDecimal } of lines) {
      const currency = purchase === null ? undefined : known.get(purchase);
      if (purchase !== null && currency !== undefined) {
        if (currency !== this.#usual) this.#others.set(purchase, currency);
        else if (said !== undefined) this.#usuals.add(purchase);
      } else if (isDecimal && said === undefined && this.#usual !== undefined) this.assumed++;
    }
  }

  /**
   * @param purchase of a line that has been learnt of
   * @param said what the line has for the currency
   * @returns ISO 4217 code of its amount, undefined where nothing is known but the profile's; and what is wrong with what it says
   */
  read(
    purchase: string | null,
    said: Json | undefined,
  ): { currency?: string | undefined; fault?: string | undefined } {
    const known = purchase === null ? undefined : this.#paidIn(purchase);
    if (said === undefined) return { currency: known };
    const code = typeof said === 'string' ? currencyCode(said) : '';
    if (currencyExponent(code) === undefined)
      return {
        currency: known,
        fault: `currency is ${quotedText(String(said))}, which is not an ISO 4217 currency code such as AUD`,
      };
    if (known === undefined || known === code) return { currency: code };
    const fault = `currency is ${code}, and purchase ${quotedText(purchase ?? '')} was paid in ${known}: leave the currency out, or check which purchase it is`;
    return { currency: known, fault };
  }

  #paidIn(purchase: string): string | undefined {
    return this.#others.get(purchase) ?? (this.#usuals.has(purchase) ? this.#usual : undefined);
  }
}
