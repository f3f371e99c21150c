/**
 * ISO 4217: the active currency codes and their number of decimals.
 *
 * Intl has these too, but it follows CLDR, which differs from ISO 4217 for several currencies. It gives IQD no
 * decimals, for example, and a wrong exponent is a wrong amount.
 */

const TWO_DECIMALS =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD ' +
  'CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS ' +
  'GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL ' +
  'MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK ' +
  'PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS ' +
  'TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG';
const NO_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF';
const ONE_DECIMAL = ''; // ISO 4217 has none today
const THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND';
const FOUR_DECIMALS = 'CLF UYW';

const EXPONENTS: ReadonlyMap<string, number> = new Map(
  [NO_DECIMALS, ONE_DECIMAL, TWO_DECIMALS, THREE_DECIMALS, FOUR_DECIMALS].flatMap(
    (codes, exponent) =>
      codes
        .split(' ')
        .filter(Boolean)
        .map((code): [string, number] => [code, exponent]),
  ),
);

/** @returns a code in the form that is sent, however it was typed: `AUD` for `aud` */
export function currencyCode(text: string): string {
  return text.trim().toUpperCase();
}

/** Decimals of nearly every currency; assumed for an amount without a currency. */
export const USUAL_EXPONENT = 2;

/** Decimals of the currency with the most. */
export const MOST_DECIMALS = 4;

/** @returns the decimals of an ISO 4217 currency (JPY 0, AUD 2, BHD 3); undefined if the code is unknown */
export function currencyExponent(code: string): number | undefined {
  return EXPONENTS.get(code);
}

/** @returns every active code with its decimals */
export function currencyExponents(): Iterable<readonly [code: string, exponent: number]> {
  return EXPONENTS;
}
