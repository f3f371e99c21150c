/**
 * ISO 4217 as of amendment 180 (1 January 2026): the currency codes and their number of decimals. Codes that were
 * withdrawn since 2004, which the oldest books and gateways may have, are read, and refused for a new charge.
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
 * Names and symbols, singular and in small letters. A symbol that several currencies share is never read as one of
 * them.
 */
const MEANT: readonly (readonly [names: readonly string[], codes: readonly string[]])[] = [
  [
    ['$', 'dollar', 'buck'],
    ['AUD', 'USD', 'NZD', 'CAD'],
  ],
  [['a$', 'au$', 'aussie'], ['AUD']],
  [['us$', 'u$'], ['USD']],
  [['nz$'], ['NZD']],
  [['c$', 'ca$'], ['CAD']],
  [['€', 'euro'], ['EUR']],
  [['£', 'pound', 'quid', 'sterling'], ['GBP']],
  [
    ['¥', '￥'],
    ['JPY', 'CNY'],
  ],
  [['yen'], ['JPY']],
  [['yuan', 'rmb', 'renminbi'], ['CNY']],
  [['rupee', '₹'], ['INR']],
  [['franc'], ['CHF']],
];

/** @returns the ISO 4217 codes that a name or a symbol may mean, such as `$` or `euros`; none for a code itself */
export function currenciesMeant(text: string): readonly string[] {
  const name = text.toLowerCase().replace(/s$/, '');
  return MEANT.find(([names]) => names.includes(name))?.[1] ?? [];
}
