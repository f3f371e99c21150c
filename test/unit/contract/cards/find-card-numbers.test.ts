import { describe, expect, test } from 'vitest';
import { isCardNumber, passesLuhn } from '../../../../src/contract/cards/card-number.ts';
import {
  cardNumbersIn,
  holdsCardNumber,
  maskCardNumbers,
  maskKnownNumbers,
  maskOnPage,
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

describe('a card number', () => {
  const all = [
    ...Object.entries(NUMBERS).flatMap(([name, numbers]) => numbers.map((n) => [name, n] as const)),
    ...Object.entries(TEST_CARDS).map(([name, card]) => [name, card.card_number] as const),
  ];

  test.each(all)('of %s is recognised: %s', (_, number) => {
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
    ['with several gaps', '5123-4567 8901.2346', '5123-45XX XXXX.2346'],
    ['in pairs', '51 23 45 67 89 01 23 46', '51 23 45 XX XX XX 23 46'],
    ['digit by digit', [...CARD].join(' '), [...MASKED].join(' ')],
    ['as on an Amex', '3782-822463-10005', '3782-82XXXX-X0005'],
    ['as on a Diners', '3056 930902 5904', '3056 93XXXX 5904'],
    ['in a tag', `<td>${CARD}</td>`, `<td>${MASKED}</td>`],
    ['behind an id', `P-${CARD}`, `P-${MASKED}`],
    ['behind a number', `071-P-${CARD}`, `071-P-${MASKED}`],
    ['glued to letters', `card${CARD}x`, `card${MASKED}x`],
    ['on a magnetic stripe', `%B${CARD}^BYRON/ADA^9905`, `%B${MASKED}^BYRON/ADA^9905`],
    ['on its second track', `;${CARD}=9905101`, `;${MASKED}=9905101`],
    ['before its expiry', '5123 4567 8901 2346 12/27', '5123 45XX XXXX 2346 12/27'],
    ['with hyphens before its expiry', '5123-4567-8901-2346 12/27', '5123-45XX-XXXX-2346 12/27'],
    ['behind other digits', '12 5123 4567 8901 2346', '12 5123 45XX XXXX 2346'],
    ['in a file name', `/tmp/${CARD}.json`, `/tmp/${MASKED}.json`],
    ['as a decimal', `${CARD}.00`, `${MASKED}.00`],
    ['at the end of a sentence', `no ${CARD}.`, `no ${MASKED}.`],
    ['below zero', `-${CARD}`, `-${MASKED}`],
    ['in hexadecimal company', `deadbeef-${CARD}`, `deadbeef-${MASKED}`],
    ['in a row of cells', `a  ${CARD}  b\t${CARD}\n`, `a  ${MASKED}  b\t${MASKED}\n`],
    ['twice', `${CARD}, ${CARD}`, `${MASKED}, ${MASKED}`],
    ['twice in one stretch', `${CARD} ${CARD}`, `${MASKED} ${MASKED}`],
  ])('is found %s', (_, text, masked) => {
    expect(maskCardNumbers(text)).toBe(masked);
    expect(maskCardNumbers(masked)).toBe(masked);
    expect(holdsCardNumber(text)).toBe(true);
  });

  test.each([
    ['an id', '071-P-IE49OSAF'],
    ['an id with a code of digits', '071-P-5123456'],
    ['a UUID', '51234567-8901-4234-8567-890123456789'],
    ['a UUID that has one', `0000000a-0000-4000-8000-${withCheckDigit('501800000009')}`],
    ['a digest that has one', `e${CARD}d41d8cd98f00b20`],
    ['a longer number', `9${CARD}`],
    ['a longer number before it', `${CARD}0001`],
    ['an instant', '2026-11-21T00:01:23.456Z 2026-11-22T00:01:23.456Z'],
    ['dates', '30/04/2026 05/05/2026'],
    ['seconds, milli-, micro- and nanoseconds', '1795219200 1795219200000 1795219200000000'],
    ['an order number of a date', '20261121000123'],
    ['a telephone number', '+4915112345678'],
    ['a decimal', `0.${CARD}, -1.${CARD} 5.123456789012346e+22 5123.456789012346`],
    ['the third of an amount', '4266.666666666667'],
    ['JSON of decimals', `{"a":0.${CARD},"b":[5123.456789012346]}`],
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
    ['values of a table', '5123,4567,8901,2346'],
    ['several gaps between other groups', '51234 567-8901.2346'],
    ['digits of another script', '٥١٢٣٤٥٦٧٨٩٠١٢٣٤٦'],
    ['a percentage', '50% of 5123, 20% of 4567'],
    ['words', 'a cat sat on the mat'],
  ])('is not found in %s', (_, text) => {
    expect(maskCardNumbers(text)).toBe(text);
  });

  test('that is known to be an identifier stays', () => {
    const isNone = (digits: string) => digits === CARD;
    expect(maskOnPage(`${CARD} 4111 1111 1111 1111`, isNone)).toBe(`${CARD} 4111 11XX XXXX 1111`);
  });
});

/** What keyboards, typesetters, web pages and programs put between groups, by name. */
const SEPARATORS: Readonly<Record<string, string>> = {
  'a no-break space': '\u00a0',
  'a narrow no-break space': '\u202f',
  'a thin space': '\u2009',
  'a hair space': '\u200a',
  'a figure space': '\u2007',
  'an en space': '\u2002',
  'an em space': '\u2003',
  'a mathematical space': '\u205f',
  'an ideographic space': '\u3000',
  'a space of Ogham': '\u1680',
  'a next line': '\u0085',
  'a wave dash': '\u301c',
  'a full-width tilde, as Windows writes the wave dash': '\uff5e',
  'a zero-width space': '\u200b',
  'a word joiner': '\u2060',
  'a byte order mark': '\ufeff',
  'a soft hyphen': '\u00ad',
  'a mark of direction': '\u200e',
  'a hyphen of Unicode': '\u2010',
  'a no-break hyphen': '\u2011',
  'a figure dash': '\u2012',
  'an en dash': '\u2013',
  'an em dash': '\u2014',
  'a minus sign': '\u2212',
  'a full-width hyphen': '\uff0d',
  'a middle dot': '\u00b7',
  'a bullet': '\u2022',
  'an underscore': '_',
  'a slash': '/',
  'a plus sign': '+',
  'a tab': '\t',
  'two spaces': '  ',
  'three spaces': '   ',
  'a hyphen between spaces': ' - ',
  'a dash between no-break spaces': '\u00a0\u2013\u00a0',
  'a line end': '\n',
  'a line end of Windows': '\r\n',
  'an old line end': '\r',
  'an empty line': '\n\n',
  'an empty line of Windows': '\r\n\r\n',
  'a line separator': '\u2028',
  'a form feed': '\f',
  '<br>': '<br>',
  '<br/>': '<br/>',
  '<BR /> and a line end': '<BR />\r\n',
  '<wbr>': '<wbr>',
  'a span': '</span> <span class="digits">',
  'cells of HTML': '</td><td>',
  '&nbsp;': '&nbsp;',
  '&#160;': '&#160;',
  '&#xA0;': '&#xA0;',
  '&ndash;': '&ndash;',
  '&shy;': '&shy;',
  '&#8209;': '&#8209;',
  '%20': '%20',
  '%C2%A0': '%C2%A0',
  '%e2%80%af': '%e2%80%af',
  '%E2%88%92': '%E2%88%92',
  '%2D': '%2D',
  '%0D%0A': '%0D%0A',
  'an escaped line end': '\\n',
  'an escaped tab, twice escaped': '\\\\t',
  'an escaped slash': '\\/',
  'an escaped no-break space': '\\u00a0',
};

describe('a card number with typeset groups', () => {
  const of = (gap: string) => (groups: string) => groups.split(' ').join(gap);

  test.each(Object.entries(SEPARATORS))('has %s between its groups', (_, gap) => {
    const joined = of(gap);
    const pairs = [
      ['5123 4567 8901 2346', '5123 45XX XXXX 2346'],
      ['3782 822463 10005', '3782 82XXXX X0005'],
      ['3056 930902 5904', '3056 93XXXX 5904'],
      ['6799 9901 0000 0000 019', '6799 99XX XXXX XXX0 019'],
    ] as const;
    for (const [groups, masked] of pairs) {
      expect(maskCardNumbers(joined(groups))).toBe(joined(masked));
      const inWords = (text: string) => `Card ${joined(text)}, 12/27: declined (51).`;
      expect(maskCardNumbers(inWords(groups))).toBe(inWords(masked));
      expect(maskCardNumbers(joined(masked))).toBe(joined(masked));
    }
    const [groups, masked] = pairs[0];
    const among = (text: string) => [`Ref 1001${gap}${joined(text)}${gap}2500`, joined(text)];
    expect(among(groups).map(maskCardNumbers)).toEqual(among(masked));
    expect(cardNumbersIn(joined(groups))).toEqual([CARD]);
    expect(maskKnownNumbers(joined('51 23456789012 346'), new Set([CARD]))).toBe(
      joined('51 2345XXXXXX2 346'),
    );
  });

  test.each([
    ['a line that is wrapped', '5123 4567\n8901 2346', '5123 45XX\nXXXX 2346'],
    ['a line that is wrapped later', '5123-4567-8901-\n2346', '5123-45XX-XXXX-\n2346'],
    [
      'lines of cards',
      '5123\t4567\t8901\t2346\n4111\t1111\t1111\t1111',
      '5123\t45XX\tXXXX\t2346\n4111\t11XX\tXXXX\t1111',
    ],
    ['different spaces', '5123\u00a04567 8901\u202f2346', '5123\u00a045XX XXXX\u202f2346'],
    ['an address', 'q=%225123%204567%208901%202346%22', 'q=%225123%2045XX%20XXXX%202346%22'],
    ['an address with a whole number', `q=%22${CARD}%22&x=1`, `q=%22${MASKED}%22&x=1`],
    ['broken JSON', `"note":"\\u0022${CARD}`, `"note":"\\u0022${MASKED}`],
    ['a cell and its expiry', '5123\t4567\t8901\t2346\t12/27', '5123\t45XX\tXXXX\t2346\t12/27'],
  ])('is found in %s', (_, text, masked) => {
    expect(maskCardNumbers(text)).toBe(masked);
  });

  test.each([
    ['a column of amounts', '4111\n1111\n1111\n1111\n2500\n1000'],
    ['a column of amounts, further down', '2500\n1000\n4111\n1111\n1111\n1111'],
    ['a row of amounts', '4111\t1111\t1111\t1111\t2500\t1000'],
    ['amounts with decimals', '4111.11\t1111.11\t11.11\t1111.11'],
    ['a table with columns of spaces', '2500  4111  1111  1111  1111  9999  1000'],
    [
      'a table of HTML',
      '<td>4111</td><td>1111</td><td>1111</td><td>1111</td><td>10</td>'.replace(
        '10<',
        '2500</td><td>1000<',
      ),
    ],
    ['telephone numbers on lines', '6304 0000\n0000 0000\n6234 5678\n6345 6789'],
    ['telephone numbers', '+61\u00a0412\u00a0345\u00a0678\n+61\u00a0412\u00a0345\u00a0679'],
    ['dates on lines', '2026-11-23\n2026-11-24\n2026-11-25'],
    ['dates without hyphens', '20261123\n20261124'],
    ['times in cells', '2026/11/23\t10.24.11\t2026/11/24\t10.24.12'],
    ['amounts with narrow spaces', '4\u202f111\u202f111\u202f111\u202f111\u202f111,00'],
    ['amounts on lines', '411111\n111111\n1111'],
    ['an IBAN with no-break spaces', 'DE89 3704 0044 0532 0130 00'.replaceAll(' ', '\u00a0')],
    ['order numbers on lines', 'INV-4111\nINV-1111\nINV-1111\nINV-1111'],
    ['numbers of other groups', '41111\n11111\n111\n111'],
    ['numbers far apart', '5123    4567    8901    2346'],
    ['lines with others between', '5123\n\n\n\n4567\n\n\n\n8901\n\n\n\n2346'],
    ['values of a table', '5123;4567;8901;2346 5123|4567|8901|2346'],
    ['a UUID in an address', '51234567%2D8901%2D4234%2D8567%2D890123456789'],
    ['digits that are escaped', '&#53;123&#52;567&#56;901&#50;346'],
    ['full-width digits', '５１２３ ４５６７ ８９０１ ２３４６'],
    ['stars', '5123*4567*8901*2346'],
  ])('is not found in %s', (_, text) => {
    expect(maskCardNumbers(text)).toBe(text);
  });

  test('is found on a page only with one character between its groups', () => {
    for (const gap of Object.values(SEPARATORS)) {
      const [groups, masked] = ['5123 4567 8901 2346', '5123 45XX XXXX 2346'].map(of(gap));
      const isOne = gap.length === 1 && !/[\t\n\r\f]/.test(gap);
      expect(maskOnPage(groups!)).toBe(isOne ? masked : groups);
    }
    expect(maskOnPage(`a\t${CARD}\n`)).toBe(`a\t${MASKED}\n`);
  });
});

describe('a card number that was typed', () => {
  const known = new Set([CARD, '9999999999999995', '123']);

  test.each([
    ['in longer digits', `99${CARD}77`, `99${MASKED}77`],
    ['with several gaps', '5123 4567-8901.2346', '5123 45XX-XXXX.2346'],
    ['that no issuer has', '9999 999999999995', '9999 99XXXXXX9995'],
    ['twice', `${CARD}${CARD}`, `${MASKED}${MASKED}`],
    ['with wide gaps', '5123  4567\t89012346', '5123  45XX\tXXXX2346'],
  ])('is masked %s', (_, text, masked) => {
    expect(maskKnownNumbers(text, known)).toBe(masked);
  });

  test.each(['4111111111111111', '5123    4567    8901    2346', '123', CARD.slice(1), ''])(
    'is not %j',
    (text) => expect(maskKnownNumbers(text, known)).toBe(text),
  );
});

test('random numbers are taken for card numbers as seldom as the decision says', () => {
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
