import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maskCardNumber, passesLuhn } from '../../../../src/contract/cards/card-number.ts';
import {
  cardState,
  firstExpiringDay,
  formatExpiry,
  isExpired,
  lastValidDay,
  parseExpiry,
} from '../../../../src/contract/expiry.ts';
import { fieldSchema } from '../../../../src/contract/field-schemas.ts';
import { cardExpiry, cardNumber, cvv } from '../../../../src/contract/resources/card.ts';

const digits = (min: number, max: number) => fc.stringMatching(new RegExp(`^\\d{${min},${max}}$`));

/** The digits with the check digit that makes them pass, by trying all ten. */
function withCheckDigit(body: string): string {
  const passing = [...'0123456789'].filter((digit) => passesLuhn(body + digit));
  expect(passing).toHaveLength(1);
  return body + passing[0];
}

const validNumbers = digits(11, 18).map(withCheckDigit);

describe('passesLuhn', () => {
  test.each([
    '5123456789012346',
    '4005550000000001',
    '3530111333300000',
    '371449635398431',
    '6011111111111117',
    '79927398713',
    '0',
  ])('passesLuhn is true for %s', (number) => {
    expect(passesLuhn(number)).toBe(true);
  });

  test.each([
    '5123456789012345',
    '4111111111111112',
    '79927398710',
    '1',
    'abc',
    '4111-1111-1111-1111',
  ])('passesLuhn is false for %s', (number) => {
    expect(passesLuhn(number)).toBe(false);
  });

  test('passesLuhn finds any one wrong digit', () => {
    fc.assert(
      fc.property(validNumbers, fc.nat(), fc.integer({ min: 1, max: 9 }), (number, place, by) => {
        const at = place % number.length;
        const wrong = (Number(number[at]) + by) % 10;
        expect(passesLuhn(number.slice(0, at) + wrong + number.slice(at + 1))).toBe(false);
      }),
    );
  });

  test('passesLuhn finds two swapped neighbours, except 0 and 9', () => {
    fc.assert(
      fc.property(validNumbers, fc.nat(), (number, place) => {
        const at = place % (number.length - 1);
        const [a, b] = [number[at], number[at + 1]];
        fc.pre(a !== b && `${a}${b}` !== '09' && `${a}${b}` !== '90');
        expect(passesLuhn(number.slice(0, at) + b + a + number.slice(at + 2))).toBe(false);
      }),
    );
  });
});

describe('a card number in a request', () => {
  test('is 12 to 19 digits that pass', () => {
    fc.assert(
      fc.property(validNumbers, (number) => fieldSchema(cardNumber).safeParse(number).success),
    );
  });

  test.each([
    ...[
      '',
      '0',
      '5123 4567 8901 2346',
      '5123456789012345',
      '5123-4567-8901-2346',
      '512345XXXXXX2346',
    ],
    ...[
      '00000000000',
      '00000000000000000000',
      '５１２３４５６７８９０１２３４６',
      '5123456789012346\n',
    ],
  ])('%j is not a card number', (number) => {
    expect(fieldSchema(cardNumber).safeParse(number).success).toBe(false);
  });
});

describe('maskCardNumber', () => {
  test('maskCardNumber keeps the first six and last four digits of any number and its length', () => {
    fc.assert(
      fc.property(digits(12, 19), (number) => {
        const masked = maskCardNumber(number);
        expect(masked).toMatch(/^\d{6}X+\d{4}$/);
        expect(masked).toHaveLength(number.length);
        expect(masked.slice(0, 6) + masked.slice(-4)).toBe(number.slice(0, 6) + number.slice(-4));
      }),
    );
  });

  test('maskCardNumber does not change a masked number', () => {
    fc.assert(
      fc.property(digits(12, 19), (number) => {
        expect(maskCardNumber(maskCardNumber(number))).toBe(maskCardNumber(number));
      }),
    );
  });

  test.each([
    ['5123 4567 8901 2346', '512345XXXXXX2346'],
    ['5123-4567-8901-2346', '512345XXXXXX2346'],
    ['XXXXXXXXXXXX2346', 'XXXXXXXXXXXX2346'],
    ['12345678901', 'XXXXXXXXXXX'],
    ['', ''],
  ])('maskCardNumber makes %j %j', (number, masked) => {
    expect(maskCardNumber(number)).toBe(masked);
  });

  test('maskCardNumber never leaves more than the first six and the last four digits', () => {
    const texts = fc.stringMatching(/^[\dXx -]{0,24}$/);
    fc.assert(
      fc.property(texts, (text) => {
        const masked = maskCardNumber(text);
        expect(masked.replace(/\D/g, '').length).toBeLessThanOrEqual(10);
        expect(masked).not.toMatch(/\d{7}/);
      }),
    );
  });

  test.each(['5123456789012346X', 'x 5123-4567-8901-2346', 'X5123 4567 8901 2346'])(
    'maskCardNumber masks a whole number with an X beside it (%s)',
    (number) => {
      expect(maskCardNumber(number)).toBe('512345XXXXXX2346');
    },
  );
});

describe('an expiry', () => {
  test.each([
    ['05/2031', { year: 2031, month: 5 }],
    ['2031-05-31', { year: 2031, month: 5 }],
    ['2031-05', { year: 2031, month: 5 }],
    ['2031-05-31T23:59:59+10:00', { year: 2031, month: 5 }],
    ['2031-05-31T00:00:00Z', { year: 2031, month: 5 }],
    ['2031-05-31T23:59:59.999-11:00', { year: 2031, month: 5 }],
    ['2031-05-31 23:59:59 +1000', { year: 2031, month: 5 }],
    ['12/0099', { year: 99, month: 12 }],
  ])('%s is read', (text, expiry) => {
    expect(parseExpiry(text)).toEqual(expiry);
  });

  test.each([
    ...['', '5/2031', '05/31', '00/2031', '13/2031', '2031-13-01', '2031-00-01', '31/05/2031'],
    ...['05-2031', '2031/05', '05/2031 ', '2031-05-31x', 'May 2031', '2031-5-31', '05/20311'],
  ])('%j is not an expiry', (text) => {
    expect(parseExpiry(text)).toBeUndefined();
  });

  test('is the same in all its forms', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9999 }),
        fc.integer({ min: 1, max: 12 }),
        (year, month) => {
          const expiry = { year, month };
          const [mm, yyyy] = formatExpiry(expiry).split('/');
          for (const text of [
            `${mm}/${yyyy}`,
            `${yyyy}-${mm}`,
            `${yyyy}-${mm}-28`,
            `${yyyy}-${mm}-28T00:00:00+10:00`,
          ]) {
            expect(parseExpiry(text)).toEqual(expiry);
          }
        },
      ),
    );
  });

  test.each([
    ['05/2031', true],
    ['13/2031', false],
    ['2031-05-31', false],
    ['05/31', false],
  ])('%s may be sent: %s', (text, allowed) => {
    expect(fieldSchema(cardExpiry).safeParse(text).success).toBe(allowed);
  });

  test.each([
    ['2031-05-01', false],
    ['2031-05-31', false],
    ['2031-06-01', true],
    ['2030-12-31', false],
    ['2032-01-01', true],
  ])('05/2031 is past on %s: %s', (day, past) => {
    expect(isExpired('2031-05', day)).toBe(past);
  });

  test.each([
    ['2028-01-29', 'valid'],
    ['2028-01-30', 'expiring'],
    ['2028-02-29', 'expiring'],
    ['2028-03-01', 'expired'],
    ['2031-01-01', 'expired'],
  ])('a card until 02/2028 is on %s %s', (day, state) => {
    expect(cardState('2028-02', day)).toBe(state);
    // The test gateway announces the expiry on the day on which reports begin to.
    expect(day >= firstExpiringDay('2028-02')).toBe(state !== 'valid');
    expect(isExpired('2028-02', day)).toBe(day > lastValidDay('2028-02'));
  });

  test('of December is past in January', () => {
    expect(isExpired('2031-12', '2031-12-31')).toBe(false);
    expect(isExpired('2031-12', '2032-01-01')).toBe(true);
  });
});

test.each([
  ['123', true],
  ['1234', true],
  ['12', false],
  ['12345', false],
  ['12a', false],
  ['', false],
])('%j is a CVV: %s', (value, valid) => {
  expect(fieldSchema(cvv).safeParse(value).success).toBe(valid);
});
