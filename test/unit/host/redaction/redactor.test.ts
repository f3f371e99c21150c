import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Redactor, scrubJson } from '../../../../src/host/redaction/redactor.ts';
import { anyText } from '../../../helpers/arbitraries.ts';
import { cardLike } from '../../../helpers/card-like.ts';

const CARD = '5123456789012346';
const MASKED = '512345XXXXXX2346';
/** No issuer has it; the test gateway takes it all the same. */
const ODD = '9999999999999995';

describe('an identifier that looks like a card number', () => {
  test('is shown once it is known as an identifier', () => {
    const redactor = new Redactor();
    const [own, other] = [cardLike(1), cardLike(2)];
    expect(redactor.scrub(own)).not.toBe(own);
    redactor.addIdentifiers({ response: [{ reference: `INV-${own}`, note: other }] });
    expect(redactor.scrub(`Reference INV-${own}`)).toBe(`Reference INV-${own}`);
    expect(redactor.scrub(other)).not.toBe(other);
  });

  test('is hidden if it was typed as a card number', () => {
    const redactor = new Redactor();
    redactor.addCardNumber(CARD);
    redactor.addIdentifiers({ reference: CARD });
    for (const scrubbed of [redactor.scrub(CARD), redactor.scrubKnown(CARD)])
      expect(scrubbed).toBe(MASKED);
  });

  test('stays unchanged if this run does not know it', () => {
    const redactor = new Redactor();
    redactor.addSecret('secret-token');
    expect(redactor.scrubKnown(`${cardLike(1)} secret-token`)).toBe(`${cardLike(1)} ***`);
  });
});

describe('Redactor', () => {
  test('the redactor hides a token as it is, in JSON, in a URL and in a Basic credential', () => {
    const redactor = new Redactor();
    const token = 'pä"ss/wörd+1';
    redactor.addCredentials('merchant', token);
    const basic = Buffer.from(`merchant:${token}`).toString('base64');
    for (const text of [token, JSON.stringify({ a: token }), encodeURIComponent(token), basic]) {
      expect(redactor.scrub(`before ${text} after`)).toMatch(/^before .*\*\*\*.* after$/);
      expect(redactor.scrub(text)).not.toContain('rd+1');
    }
    expect(redactor.scrub(`Basic ${basic}`).replace(/=+$/, '')).toBe('Basic ***');
  });

  test.each([
    '%3Cp%C3%A4ss%22%2Bw%261%2F',
    '%3cp%c3%a4ss%22%2bw%261%2f',
    '<päss\\"+w&1/',
    '<päss\\"+w&1\\/',
    '<päss\\\\\\"+w&1/',
  ])('the redactor hides a token that was escaped as %s', (text) => {
    const redactor = new Redactor();
    redactor.addSecret('<päss"+w&1/');
    expect(redactor.scrub(`<b>${text}</b>`)).toBe('<b>***</b>');
  });

  test('the redactor hides a Basic credential in either alphabet of base64', () => {
    const redactor = new Redactor();
    redactor.addCredentials('???>>>', '???>>>');
    const pair = Buffer.from('???>>>:???>>>');
    expect(pair.toString('base64')).toMatch(/[+/]/);
    expect(redactor.scrub(pair.toString('base64'))).toMatch(/^\*\*\*=*$/);
    expect(redactor.scrub(pair.toString('base64url'))).toBe('***');
  });

  const TOKEN = 'k3y-0f/somebody+else';
  const forms = [0, 1, 2].flatMap((before) =>
    (['base64', 'base64url'] as const).map((name): [string, string] => {
      const longer = Buffer.from(`${'x'.repeat(before)}${TOKEN}`);
      return [`${name} behind ${before} bytes`, longer.toString(name)];
    }),
  );

  test.each<[what: string, text: string]>([
    ...forms,
    ['base64 of longer text', Buffer.from(`a "${TOKEN}" b`).toString('base64')],
    ['base64 of the credential', Buffer.from(`merchant:${TOKEN}`).toString('base64')],
    ['that within a header', Buffer.from(`Basic: merchant:${TOKEN}\n`).toString('base64')],
    [
      'base64 as JSON of PHP has it',
      Buffer.from(`?${TOKEN}??>`).toString('base64').replaceAll('/', '\\/'),
    ],
    ['hexadecimal digits', Buffer.from(TOKEN).toString('hex')],
    ['large ones', Buffer.from(TOKEN).toString('hex').toUpperCase()],
  ])('the redactor hides a token as %s', (_, text) => {
    const redactor = new Redactor();
    redactor.addCredentials('merchant', TOKEN);
    const scrubbed = redactor.scrub(`a ${text} b`);
    expect(scrubbed).toMatch(/^a .{0,24}\*\*\*.{0,12} b$/);
    const left = Buffer.from(
      scrubbed.slice(2, -2).replace(/\*+/, '').slice(-8),
      'base64',
    ).toString();
    expect(left).not.toMatch(/body|else/);
  });

  test('the redactor does not search for short secrets, and hides their Basic credential', () => {
    const redactor = new Redactor();
    redactor.addCredentials('TEST', 'TEST');
    redactor.addSecret('123');
    const text = 'TEST 123 PROTEST {"test":true}';
    expect(redactor.scrub(text)).toBe(text);
    expect(redactor.scrub('Authorization: Basic VEVTVDpURVNU')).toBe('Authorization: Basic ***');
  });

  test('the redactor masks a card number in any spelling, even within longer digits', () => {
    const redactor = new Redactor();
    redactor.addCardNumber('5123 4567 8901 2346');
    for (const text of [CARD, '5123 4567 8901 2346', '5123-4567-8901-2346', `99${CARD}77`]) {
      const scrubbed = redactor.scrub(`a ${text} b`);
      expect(scrubbed.replace(/[^X]/g, '')).toBe('XXXXXX');
      expect(scrubbed).toHaveLength(text.length + 4);
    }
    expect(redactor.scrub(`${CARD} and ${CARD}`)).toBe(`${MASKED} and ${MASKED}`);
  });

  test('the redactor masks card numbers and numbers that were used as one', () => {
    const redactor = new Redactor();
    expect(redactor.scrub(`${CARD} ${ODD}`)).toBe(`${MASKED} ${ODD}`);
    redactor.addCardNumber(ODD);
    expect(redactor.scrub(`${CARD}\t${ODD}`)).toBe(`${MASKED}\t999999XXXXXX9995`);
  });

  test.each([
    ['--card-number', ODD],
    [`--card-number=${ODD}`],
    ['--field', `card_number=${ODD}`],
    ['--field', 'card.cardNumber=9999 9999-9999 9995'],
  ])('the redactor masks the card number of a command line: %s %s', (...argv) => {
    const redactor = new Redactor();
    redactor.addCardNumbersOf(['purchase', 'create', ...argv, '--amount', '2500']);
    expect(redactor.scrub(`${ODD} 2500`)).toBe('999999XXXXXX9995 2500');
  });

  test.each([
    ['get', 'c8bc3850-7875-4fc5-89a1-468846045382'],
    ['find', '202611210008'],
    ['find', 'number', '202611210008'],
    ['purchase', 'list', '--reference', `INV-${ODD}`],
    ['purchase', 'create', `--reference=${ODD}`, '--card-number'],
  ])('the redactor shows a number of no issuer in other arguments: %s %s %s', (...argv) => {
    const redactor = new Redactor();
    redactor.addCardNumbersOf(argv);
    const text = argv.join('\t');
    expect(redactor.scrub(text)).toBe(text);
    expect(redactor.scrub(CARD)).toBe(MASKED);
  });

  test('the redactor shows published card numbers in records only', () => {
    const redactor = new Redactor();
    redactor.publish([CARD]);
    redactor.addCardNumber(CARD);
    redactor.addCardNumber(ODD);
    const text = `${CARD}\t4111111111111111\t${ODD}`;
    expect(redactor.scrubRecords(text)).toBe(`${CARD}\t411111XXXXXX1111\t999999XXXXXX9995`);
    expect(redactor.scrub(text)).toBe(`${MASKED}\t411111XXXXXX1111\t999999XXXXXX9995`);
  });

  test('the redactor masks card numbers in records if none is published', () => {
    expect(new Redactor().scrubRecords(CARD)).toBe(MASKED);
  });

  test('the redactor does not change other digits', () => {
    const redactor = new Redactor();
    redactor.addCardNumber(CARD);
    redactor.addCardNumber('123');
    for (const text of ['51234567    89012346', '51234567,89012346', '512345678901234 123'])
      expect(redactor.scrub(text)).toBe(text);
  });

  test('the redactor hides a long secret before a shorter one that is part of it', () => {
    const redactor = new Redactor();
    redactor.addSecret('secret');
    redactor.addSecret('secret-and-more');
    expect(redactor.scrub('secret-and-more')).toBe('***');
  });

  test('the redactor hides a secret in any text and never changes a text without it', () => {
    const token = fc.string({ minLength: 6, maxLength: 20 });
    fc.assert(
      fc.property(anyText, anyText, token, (before, after, secret) => {
        const redactor = new Redactor();
        redactor.addSecret(secret);
        redactor.addCardNumber(ODD);
        fc.pre(!'***'.includes(secret));
        expect(redactor.scrub(`${before}|${secret}|${after}`)).not.toContain(`|${secret}|`);
        if (!before.includes(secret)) expect(redactor.scrub(before)).toBe(before);
      }),
    );
  });
});

const scrub = (text: string) => text.replaceAll('s3cret', '***');

test('secrets are hidden in texts and names at any depth', () => {
  const value = { message: 'for s3cret', list: ['s3cret', { 's3cret-x': 1 }], n: 1, none: null };
  expect(scrubJson(value, scrub)).toEqual({
    ...{ message: 'for ***', list: ['***', { '***-x': 1 }], n: 1, none: null },
  });
});

test('a value without secrets stays the same', () => {
  const value = { message: 'Approved', list: [1, 'a'] };
  expect(scrubJson(value, scrub)).toBe(value);
});
