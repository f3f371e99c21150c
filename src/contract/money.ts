/**
 * Amounts in minor units and as decimal text, and the currencies that they are in.
 *
 * ISO 4217 as of amendment 180 (1 January 2026): the currency codes and their number of decimals. Codes that were
 * withdrawn since 2004, which the oldest books and gateways may have, are read, and refused for a new charge.
 *
 * Intl has these too, but it follows CLDR, which differs from ISO 4217 for several currencies. It gives IQD no
 * decimals, for example, and a wrong exponent is a wrong amount.
 */
import type { Json } from '../base/json.ts';

const TWO_DECIMALS =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD ' +
  'CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS ' +
  'GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL ' +
  'MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK ' +
  'PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS ' +
  'TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG ' +
  'AZM CSD CUC CYP EEK GHC HRK LTL LVL MRO MTL MZM ROL RUR SDD SIT SKK SLL STD TMM VEB VEF ZMK ZWD ' +
  'ZWL ZWN ZWR';
const NO_DECIMALS =
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF BYR MGF TRL';
const ONE_DECIMAL = ''; // ISO 4217 has none today
const THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND';
const FOUR_DECIMALS = 'CLF UYW';

/**
 * The currencies of cards in List Three of ISO 4217 (of 1 January 2026) that were in use: each with the code of today
 * for its successor, and the month of its withdrawal. That list has no decimals: they are those of List One before.
 */
const WITHDRAWN: ReadonlyMap<string, string> = new Map(
  (
    'ANG XCG 2025-03, AZM AZN 2005-12, BGN EUR 2026-01, BYR BYN 2017-01, CSD RSD 2006-10, CUC CUP 2021-06, ' +
    'CYP EUR 2008-01, EEK EUR 2011-01, GHC GHS 2008-01, HRK EUR 2023-01, LTL EUR 2014-12, LVL EUR 2014-01, ' +
    'MGF MGA 2004-12, MRO MRU 2017-12, MTL EUR 2008-01, MZM MZN 2006-06, ROL RON 2005-06, RUR RUB 2004-01, ' +
    'SDD SDG 2007-07, SIT EUR 2007-01, SKK EUR 2009-01, SLL SLE 2023-12, STD STN 2017-12, TMM TMT 2009-01, ' +
    'TRL TRY 2005-12, VEB VES 2008-01, VEF VES 2018-08, ZMK ZMW 2012-12, ZWD ZWG 2008-08, ZWL ZWG 2024-09, ' +
    'ZWN ZWG 2006-09, ZWR ZWG 2009-06'
  )
    .split(', ')
    .map((entry) => [entry.slice(0, 3), entry.slice(4)]),
);

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

/** @returns the decimals of an ISO 4217 currency, also a withdrawn one (JPY 0, AUD 2, BHD 3); undefined if unknown */
export function currencyExponent(code: string): number | undefined {
  return EXPONENTS.get(code);
}

/**
 * @param code of the currency of a new charge; a refund is in that of its purchase, which may be withdrawn
 * @returns why nobody can be charged in it, as the rest of a sentence; undefined for a code of today
 */
export function faultOfCurrency(code: string): string | undefined {
  if (!EXPONENTS.has(code)) return 'is not an ISO 4217 currency code such as AUD or USD';
  return faultOfWithdrawn(code);
}

/** @returns `is BGN, which ISO 4217 withdrew in 2026-01: EUR replaced it`; undefined for any other code */
export function faultOfWithdrawn(code: string): string | undefined {
  const [successor, month] = WITHDRAWN.get(code)?.split(' ') ?? [];
  return month && `is ${code}, which ISO 4217 withdrew in ${month}: ${successor} replaced it`;
}

/** @returns every code with its decimals, also the withdrawn ones */
export function currencyExponents(): Iterable<readonly [code: string, exponent: number]> {
  return EXPONENTS;
}

/**
 * The largest amount of a request. Section 8 gives no limit. This one has fifteen digits, which a double such as
 * `decimal_amount` (section 2.1) keeps in a currency with any number of decimals.
 */
export const MAX_AMOUNT = 999_999_999_999_999;

/**
 * Reads a decimal amount as minor units, digit by digit and never through a float.
 * @param text for example `25.00`; without sign, exponent or thousands separators
 * @param exponent decimals of the currency
 * @returns the amount in minor units, exact up to MAX_AMOUNT; a larger one stays above it. undefined if the text is not
 *   a number, or has more decimals than the currency.
 */
export function parseDecimal(text: string, exponent: number): number | undefined {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) return undefined;
  const [, whole = '', fraction = ''] = match;
  if (fraction.length > exponent) return undefined;
  return Number(whole + fraction.padEnd(exponent, '0'));
}

/**
 * Reads an amount of an unchecked body.
 * @param value a whole number, or the text of one. Its sign is ignored, because a gateway may ignore it too.
 * @returns minor units, 0 or more; undefined for anything else, including an ambiguous decimal
 */
export function minorUnits(value: Json | undefined): number | undefined {
  const isText = typeof value === 'string' && /^\s*[-+]?\d+\s*$/.test(value);
  const amount = isText ? Number(value) : value;
  return Number.isSafeInteger(amount) ? Math.abs(Number(amount)) : undefined;
}

/**
 * @param currency ISO 4217 code, if named; with an unknown code, any number of decimals fits
 * @returns whether the minor units and the decimal are the same amount; true if one is missing
 */
export function fitsDecimal(
  amount: Json = null,
  decimal: Json = null,
  currency: Json = null,
): boolean {
  if (amount === null || decimal === null) return true;
  const [minor = 0, major = 0] = [amount, decimal].map((value) =>
    Math.abs(typeof value === 'object' || value === '' ? Number.NaN : Number(value)),
  );
  const code = typeof currency === 'object' ? '' : String(currency);
  const exponent = currencyExponent(currencyCode(code));
  const places = exponent === undefined ? [0, 2, 3, 4] : [exponent];
  return places.some((count) => Math.abs(major * 10 ** count - minor) < 0.5);
}

/**
 * @param minor an amount in minor units; refunds are negative, and a total may have any size
 * @param exponent decimals of the currency
 * @returns for example `25.00` for 2500 with two decimals
 */
export function formatDecimal(minor: number | bigint, exponent: number): string {
  const digits = String(isWrittenShort(minor) ? BigInt(minor) : minor)
    .replace('-', '')
    .padStart(exponent + 1, '0');
  const sign = minor < 0 ? '-' : '';
  if (exponent === 0) return sign + digits;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/** @returns whether JavaScript would write a whole number like `1e+21` */
function isWrittenShort(minor: number | bigint): boolean {
  return typeof minor === 'number' && Math.abs(minor) >= 1e21 && Number.isInteger(minor);
}

/**
 * Formats money for people, the same everywhere.
 * @param minor an amount in minor units; a total may have any size
 * @param currency ISO 4217 code; null, empty or undefined means the account's own currency
 * @param exponent decimals, if known from elsewhere
 * @returns `25.00 AUD`, or `25.00 (account currency)`. For a code unknown to ISO 4217, whose decimals nobody knows,
 *   `2500 minor units QQQ`. For a number with a fraction, which a gateway may send, `2.5 minor units AUD`.
 */
export function moneyText(
  minor: number | bigint,
  currency: string | null | undefined,
  exponent?: number,
): string {
  if (typeof minor === 'number' && !Number.isInteger(minor))
    return `${minor} minor units${currency ? ` ${currency}` : ''}`;
  if (!currency) return `${formatDecimal(minor, exponent ?? USUAL_EXPONENT)} (account currency)`;
  const decimals = currencyExponent(currency) ?? exponent;
  if (decimals === undefined) return `${minor} minor units ${currency}`;
  return `${formatDecimal(minor, decimals)} ${currency}`;
}
