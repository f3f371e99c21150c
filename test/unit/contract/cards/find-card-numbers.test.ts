import { describe, expect, test } from 'vitest';
import { isCardNumber, passesLuhn } from '../../../../src/contract/cards/card-number.ts';
import {
  holdsCardNumber,
  maskCardNumbers,
} from '../../../../src/contract/cards/find-card-numbers.ts';
import { TEST_CARDS } from '../../../../src/contract/cards/test-cards.ts';
import { cardFigures } from '../../../helpers/card-figures.ts';

/** Numbers that networks and processors publish for tests, one for each length that they have. */
const NUMBERS = {
  Visa: ['4111111111111111', '4222222222222', '4242424242424242', '4000000000000000006'],
  Mastercard: ['5555555555554444', '5105105105105100', '2223003122003222', '2720990000000015'],
  'American Express': ['378282246310005', '371449635398431', '341111111111111'],
  'Diners Club': ['30569309025904', '38520000023237', '36227206271667'],
  Discover: ['6011111111111117', '6445644564456445', '6510000000000034', '6221260000000000'],
  JCB: ['3530111333300000', '3566002020360505'],
  UnionPay: ['6250946000000016', '8171999927660000', '6212341111111111111'],
  Maestro: [
    ...['6304000000000000', '6759649826438453', '5641820000000005', '6799990100000000019'],
    ...['501800000009', '6759000000000'].map(withCheckDigit),
  ],
  Elo: ['5066991111111118', '6362970000457013'],
  Mir: ['2200770212727079', '2204290100000006'],
  Troy: ['9792030000000000'],
};

/** @returns the number, or the same digits with another last one where that is not the right one */
function withCheckDigit(digits: string): string {
  const start = digits.slice(0, -1);
  return start + [...'0123456789'].find((digit) => passesLuhn(start + digit));
}

const CARD = '5123456789012346';
const MASKED = '512345XXXXXX2346';

type Case = [what: string, text: string, masked: string];

/** The groups that are printed on a card, with that between them. */
function between(gap: string): Case {
  const groups = [...MASKED.matchAll(/.{4}/g)].map(([group]) => group);
  return [`with ${JSON.stringify(gap)}`, CARD.replace(/.{4}(?=.)/g, `$&${gap}`), groups.join(gap)];
}

/** Each digit in that form; of what is masked an X stands for all that stood for a digit. */
function writtenAs(form: (digit: string) => string): Case {
  const write = (text: string) => text.replace(/\d/g, form);
  return [`as ${form('5')} and so on`, write(CARD), write(MASKED)];
}

describe('a card number', () => {
  const all = [
    ...Object.entries(NUMBERS).flatMap(([name, numbers]) => numbers.map((n) => [name, n] as const)),
    ...Object.entries(TEST_CARDS).map(([name, card]) => [name, card.card_number] as const),
  ];

  test.each(all)('of %s is known by what it is: %s', (_, number) => {
    const card = withCheckDigit(number);
    expect(isCardNumber(card)).toBe(true);
    const masked = maskCardNumbers(card);
    expect(masked).toBe(
      card.slice(0, 6) + 'X'.repeat(card.length - 10) + card.slice(card.length - 4),
    );
    const other = String((Number(card.at(-1)) + 1) % 10);
    expect(maskCardNumbers(card.slice(0, -1) + other)).toBe(card.slice(0, -1) + other);
  });

  test.each([
    ['in groups', '5123 4567 8901 2346', '5123 45XX XXXX 2346'],
    ['with hyphens', '5123-4567-8901-2346', '5123-45XX-XXXX-2346'],
    ['with dots', '5123.4567.8901.2346', '5123.45XX.XXXX.2346'],
    ['with low lines', '5123_4567_8901_2346', '5123_45XX_XXXX_2346'],
    ['with slashes', '5123/4567/8901/2346', '5123/45XX/XXXX/2346'],
    [
      'with spaces that do not break',
      '5123\u00a04567\u00a08901\u00a02346',
      '5123\u00a045XX\u00a0XXXX\u00a02346',
    ],
    [
      'with thin spaces',
      '5123\u20094567\u20098901\u20092346',
      '5123\u200945XX\u2009XXXX\u20092346',
    ],
    [
      'with spaces of no width',
      '5123\u200b4567\u200b8901\u200b2346',
      '5123\u200b45XX\u200bXXXX\u200b2346',
    ],
    ['with dashes', '5123–4567–8901–2346', '5123–45XX–XXXX–2346'],
    ['with several gaps', '5123 4567-8901.2346', '5123 45XX-XXXX.2346'],
    ['with wide gaps', '5123 - 4567 - 8901 - 2346', '5123 - 45XX - XXXX - 2346'],
    ['over lines', '5123\n4567\n8901\n2346', '5123\n45XX\nXXXX\n2346'],
    ['in pairs', '51 23 45 67 89 01 23 46', '51 23 45 XX XX XX 23 46'],
    ['digit by digit', [...CARD].join(' '), [...MASKED].join(' ')],
    ['as on an Amex', '3782-822463-10005', '3782-82XXXX-X0005'],
    ['as on a Diners', '3056 930902 5904', '3056 93XXXX 5904'],
    ['in a URL', '5123%204567%208901%202346', '5123%2045XX%20XXXX%202346'],
    ['in a form', 'n=5123+4567+8901+2346&x=1', 'n=5123+45XX+XXXX+2346&x=1'],
    ['in HTML', '5123&nbsp;4567&#160;8901&#xa0;2346', '5123&nbsp;45XX&#160;XXXX&#xa0;2346'],
    ['with escaped digits in a URL', '%35123456789012346', '%3512345XXXXXX2346'],
    ['with escaped digits in JSON', '\\u0035123456789012346', '\\u003512345XXXXXX2346'],
    ['in full-width digits', '５１２３４５６７８９０１２３４６', '５１２３４５XXXXXX２３４６'],
    ['in Arabic digits', '٥١٢٣٤٥٦٧٨٩٠١٢٣٤٦', '٥١٢٣٤٥XXXXXX٢٣٤٦'],
    ['behind an id', `P-${CARD}`, `P-${MASKED}`],
    ['behind a number', `071-P-${CARD}`, `071-P-${MASKED}`],
    ['glued to letters', `card${CARD}x`, `card${MASKED}x`],
    ['on a magnetic stripe', `%B${CARD}^BYRON/ADA^9905`, `%B${MASKED}^BYRON/ADA^9905`],
    ['on its second track', `;${CARD}=9905101`, `;${MASKED}=9905101`],
    ['before its expiry', '5123 4567 8901 2346 12/27', '5123 45XX XXXX 2346 12/27'],
    ['behind other digits', '12 5123 4567 8901 2346', '12 5123 45XX XXXX 2346'],
    ['in a file name', `/tmp/${CARD}.json`, `/tmp/${MASKED}.json`],
    ['as a decimal', `${CARD}.00`, `${MASKED}.00`],
    ['behind a year', `2026.${CARD}`, `2026.${MASKED}`],
    ['below zero', `-${CARD}`, `-${MASKED}`],
    ['in hexadecimal company', `deadbeef-${CARD}`, `deadbeef-${MASKED}`],
    ['twice', `${CARD}, ${CARD}`, `${MASKED}, ${MASKED}`],
    ...[
      ',',
      '|',
      ':',
      ';',
      '~',
      '*',
      '#',
      ', ',
      ' | ',
      '    ',
      '\t\t',
      '=',
      '\u2192',
      '\u{1f4b3}',
    ].map(between),
    ...['<br>', '<br/>\n        ', '</td><td class="n">', '</b> <b>', '\n\n\n\n'].map(between),
    ...[
      '&#32;',
      '&comma;',
      '&nbsp;&nbsp;',
      '%20%20',
      '%2520',
      '\\u0020',
      '\\n',
      '\\\\n',
      '\\t',
    ].map(between),
    ['as on an Amex, apart', '3782,822463,10005', '3782,82XXXX,X0005'],
    ...[
      (digit: string) => `&#${digit.charCodeAt(0)};`,
      (digit: string) => `&#0${digit.charCodeAt(0)};`,
      (digit: string) => `&#x${digit.charCodeAt(0).toString(16)};`,
      (digit: string) => `&#X00${digit.charCodeAt(0).toString(16)};`,
      (digit: string) => `&#${digit.charCodeAt(0)}`,
      (digit: string) => `&amp;#${digit.charCodeAt(0)};`,
      (digit: string) => `\\u0026#${digit.charCodeAt(0)};`,
      (digit: string) => `%3${digit}`,
      (digit: string) => `%26%23${digit.charCodeAt(0)}%3b`,
      (digit: string) => `\\u003${digit}`,
      (digit: string) => `\\\\u003${digit}`,
      (digit: string) => `\\x3${digit}`,
      (digit: string) => `\\u{3${digit}}`,
    ].map(writtenAs),
    ...[0x966, 0x9e6, 0xe50, 0x1040, 0x6f0, 0xff10, 0x1d7ce, 0x1d7d8, 0x1d7f6, 0x104a0, 0x1e950]
      .map((zero) => (digit: string) => String.fromCodePoint(zero + Number(digit)))
      .map(writtenAs),
    ...['⁰¹²³⁴⁵⁶⁷⁸⁹', '₀₁₂₃₄₅₆₇₈₉', '⓪①②③④⑤⑥⑦⑧⑨']
      .map((digits) => (digit: string) => digits[Number(digit)] ?? '')
      .map(writtenAs),
    writtenAs((digit) => encodeURIComponent(String.fromCodePoint(0xff10 + Number(digit)))),
  ])('is found %s', (_, text, masked) => {
    expect(maskCardNumbers(text)).toBe(masked);
    expect(maskCardNumbers(masked)).toBe(masked);
    expect(holdsCardNumber(text)).toBe(true);
  });

  test.each(['%253', '%25253', '%2525253'])(
    'is found in digits that are written as %s5',
    (form) => {
      const text = CARD.replace(/\d/g, (digit) => `${form}${digit}`);
      // What stands for digits may look like a number, too.
      expect(maskCardNumbers(text)).toContain('XXXXXX');
    },
  );

  test.each([
    ['an id', '071-P-IE49OSAF'],
    ['an id with a code of digits', '071-P-5123456'],
    ['a UUID', '51234567-8901-4234-8567-890123456789'],
    ['a UUID that has one', `00000000-0000-4000-8000-${withCheckDigit('501800000009')}`],
    ['a digest that has one', `e${CARD}d41d8cd98f00b20`],
    ['a longer number', `9${CARD}`],
    ['a longer number before it', `${CARD}0001`],
    ['an instant', '2026-11-21T00:01:23.456Z 2026-11-22T00:01:23.456Z'],
    ['dates', '30/04/2026 05/05/2026'],
    ['seconds, milli-, micro- and nanoseconds', '1795219200 1795219200000 1795219200000000'],
    ['an order number of a date', '20261121000123'],
    ['a telephone number', '+4915112345678'],
    ['a decimal', `0.${CARD}, -1.${CARD} 5.123456789012346e+22 5123.456789012346`],
    ['one that is masked', MASKED],
    ['a UUID that has digits', 'c8bc3850-7875-4fc5-89a1-468846045382'],
    ['columns of small numbers', '4,11,1111,1,11,1111,1,11,4111,11,1'],
    ['amounts in a row', '41.11, 11.11, 11.11, 11.11, 41.11'],
    ['amounts with their thousands', '4,111,111,111,111,111.00'],
    ['a list of amounts', '[4111, 11, 1111, 1111, 11]'],
    ['instants in a row', '2026-11-23T10:24:11+10:00,2026-11-23T10:24:12+10:00'],
    ['times in a row', '10:24:11 10:24:12 10:24:13 51:23:45'],
    ['dates in a row', '2026-11-23, 2026-11-24, 2026-11-25'],
    ['addresses', '192.168.100.100, 10.11.12.13; 5123:4567:8901:2345::1'],
    ['telephone numbers', '+61 412 345 678, +61 412 345 679; 0151 123 4567'],
    ['a digest of upper case', `E${CARD}D41D8CD98F00B20`],
    ['base64', Buffer.from('5123 4567 8901 2346').toString('base64')],
    ['years', '2019, 2020, 2021, 2022, 2023, 2024'],
    ['parts with letters between them', '5123 of 4567 of 8901 of 2346'],
    ['groups that are too far apart', `5123${' '.repeat(17)}4567${' '.repeat(17)}8901 2346`],
    ['a percentage', '50% of 5123, 20% of 4567'],
    ['words', 'a cat sat on the mat'],
  ])('is not seen in %s', (_, text) => {
    expect(maskCardNumbers(text)).toBe(text);
  });

  test('is not made of two values that stand beside each other on a page', () => {
    for (const page of [
      '5123,4567,8901,2346',
      '5123  4567  8901  2346',
      `51234567  89012346`,
      '51234567\t89012346',
      '5123\n4567\n8901\n2346',
    ])
      expect(maskCardNumbers(page, 'page')).toBe(page);
    for (const page of [`a  ${CARD}  b`, `a\t${CARD}\n`, '5123 4567 8901 2346\t1'])
      expect(maskCardNumbers(page, 'page')).not.toBe(page);
  });

  test('that is known is found in longer digits, too', () => {
    expect(maskCardNumbers(`99${CARD}77`, 'page', (digits) => digits === CARD)).toBe(
      `99${MASKED}77`,
    );
  });
});

test('numbers that are no card numbers are taken for one as seldom as the decision says', () => {
  expect(cardFigures(10_000)).toMatchInlineSnapshot(`
    {
      "IBANs in groups": "1.10 %",
      "IBANs, DE89370400440532013000": "0.00 %",
      "IMEIs, which have the same check digit": "0.00 %",
      "UUIDs": "0.00 %",
      "amounts, 1234.56": "0.00 %",
      "any 12 digits": "0.01 %",
      "any 13 digits": "1.15 %",
      "any 14 digits": "0.51 %",
      "any 15 digits": "0.66 %",
      "any 16 digits": "3.99 %",
      "any 16 digits that begin with 4, 5 or 6": "9.73 %",
      "any 18 digits": "2.10 %",
      "any 20 digits or more": "0.00 %",
      "barcodes, EAN-13": "0.91 %",
      "digests, SHA-1": "0.00 %",
      "digests, SHA-256": "0.00 %",
      "ids of the interface, 071-P-IE49OSAF": "0.00 %",
      "instants, 2026-11-21T10:24:11+10:00": "0.00 %",
      "microseconds": "0.00 %",
      "nanoseconds": "0.00 %",
      "orders counted in 10 digits": "0.00 %",
      "orders counted in 12 digits from 1": "0.00 %",
      "orders of a day, 20261121000123": "0.00 %",
      "orders with letters, INV-2026-000123": "0.00 %",
      "parcels, 12 digits": "0.02 %",
      "parcels, 22 digits": "0.00 %",
      "seconds and milliseconds": "0.00 %",
      "telephone numbers in groups, 0151 123 4567": "0.00 %",
      "telephone numbers, +4915112345678": "0.00 %",
    }
  `);
});
