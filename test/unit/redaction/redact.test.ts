import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import {
  guardOutput,
  Redactor,
  redactHeader,
  redactJson,
  redactText,
} from '../../../src/redaction/redact.ts';
import { anyRecord, anyText } from '../../helpers/arbitraries.ts';
import { Capture } from '../../helpers/capture.ts';

const CARD = '5123456789012346';
const MASKED = '512345XXXXXX2346';

describe('redactJson', () => {
  test.each<[string, Json, Json]>([
    ['a card number', { card_number: CARD }, { card_number: MASKED }],
    ['a spaced one', { card_number: '5123 4567 8901 2346' }, { card_number: MASKED }],
    ['one that is a number', { cardNumber: 5123456789012346 }, { cardNumber: MASKED }],
    ['other names', { number: CARD, PAN: CARD }, { number: MASKED, PAN: MASKED }],
    ['one that fails the Luhn check', { pan: '512345678901' }, { pan: '512345XX8901' }],
    ['nested', { card: [{ 'card-number': CARD }] }, { card: [{ 'card-number': MASKED }] }],
    [
      'secrets',
      { cvv: '123', CVC2: 123, api_token: 't', password: { a: 1 } },
      { cvv: '***', CVC2: '***', api_token: '***', password: '***' },
    ],
    [
      'no value',
      { cvv: null, password: '', card_number: null },
      { cvv: null, password: '', card_number: null },
    ],
  ])('redactJson masks or hides %s', (_, value, redacted) => {
    expect(redactJson(value)).toEqual(redacted);
  });

  test.each<[string, Json]>([
    ['a masked number', { card_number: MASKED }],
    ['an authorization number', { authorization: '123456789012' }],
    ['a short number', { number: '12' }],
    ['a card token', { card_token: 'tok_secretlooking' }],
    ['other digits', { reference: CARD }],
    ['a scalar', CARD],
  ])('redactJson leaves %s as it is', (_, value) => {
    expect(redactJson(value)).toBe(value);
  });

  test('redactJson gives the very record back when nothing is hidden', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        expect(redactJson(record)).toBe(record);
      }),
    );
  });

  test('redactJson changes nothing but the field it hides', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const redacted = redactJson({ ...record, cvv: '123' });
        expect(redacted).toEqual({ ...record, cvv: '***' });
      }),
    );
  });
});

describe('redactHeader', () => {
  test.each([
    ['Authorization', 'Basic VEVTVDpURVNU', 'Basic ***'],
    ['authorization', 'secret', '***'],
    ['Proxy-Authorization', 'Bearer abc', 'Bearer ***'],
    ['Set-Cookie', 'session=1', '***'],
    ['Content-Type', 'application/json', 'application/json'],
  ])('redactHeader shows %s: %s as %s', (name, value, shown) => {
    expect(redactHeader(name, value)).toBe(shown);
  });
});

describe('redactText', () => {
  test.each([
    [`<p>Card ${CARD} refused</p>`, `<p>Card ${MASKED} refused</p>`],
    ['card 5123-4567-8901-2346 12/2031', 'card 5123-45XX-XXXX-2346 12/2031'],
    ['{"card_number":"5123456789012346","cvv":"12', '{"card_number":"512345XXXXXX2346","cvv":"***'],
    ['cvv=123&amount=5', 'cvv=***&amount=5'],
    ["'api_token' => 'abc'", "'api_token' => '***'"],
    ['{\\"cvv\\":\\"123\\"}', '{\\"cvv\\":\\"***\\"}'],
    ['Authorization: Basic VEVTVDpURVNU', 'Authorization: Basic ***'],
  ])('redactText makes %j %j', (text, redacted) => {
    expect(redactText(text)).toBe(redacted);
  });

  test.each([
    'Order 20260729000001 of 2026-07-29',
    'Basic access only',
    'Basic Authentication required',
    'password is required',
    '',
  ])('redactText leaves %j as it is', (text) => {
    expect(redactText(text)).toBe(text);
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

  test('the redactor hides a Basic credential in either alphabet of base64', () => {
    const redactor = new Redactor();
    redactor.addCredentials('???>>>', '???>>>');
    const pair = Buffer.from('???>>>:???>>>');
    expect(pair.toString('base64')).toMatch(/[+/]/);
    expect(redactor.scrub(pair.toString('base64'))).toMatch(/^\*\*\*=*$/);
    expect(redactor.scrub(pair.toString('base64url'))).toBe('***');
  });

  test('the redactor leaves short secrets to the places they are in, but not their credential', () => {
    const redactor = new Redactor();
    redactor.addCredentials('TEST', 'TEST');
    redactor.addSecret('123');
    const text = 'TEST 123 PROTEST {"test":true}';
    expect(redactor.scrub(text)).toBe(text);
    expect(redactor.scrub('Authorization: Basic VEVTVDpURVNU')).toBe('Authorization: Basic ***');
  });

  test('the redactor masks a card number in any spelling, also within longer digits', () => {
    const redactor = new Redactor();
    redactor.addCardNumber('5123 4567 8901 2346');
    for (const text of [CARD, '5123 4567 8901 2346', '5123-4567-8901-2346', `99${CARD}77`]) {
      const scrubbed = redactor.scrub(`a ${text} b`);
      expect(scrubbed.replace(/[^X]/g, '')).toBe('XXXXXX');
      expect(scrubbed).toHaveLength(text.length + 4);
    }
    expect(redactor.scrub(`${CARD} and ${CARD}`)).toBe(`${MASKED} and ${MASKED}`);
  });

  test('the redactor leaves other card numbers and digits as they are', () => {
    const redactor = new Redactor();
    redactor.addCardNumber(CARD);
    redactor.addCardNumber('123');
    expect(redactor.scrub('51234567  89012346')).toBe('51234567  89012346');
    expect(redactor.scrub('4242424242424242 512345678901234 123')).toBe(
      '4242424242424242 512345678901234 123',
    );
  });

  test('the redactor hides a long secret before a shorter one that is part of it', () => {
    const redactor = new Redactor();
    redactor.addSecret('secret');
    redactor.addSecret('secret-and-more');
    expect(redactor.scrub('secret-and-more')).toBe('***');
  });

  test('the redactor hides a secret in any text, and never alters a text without it', () => {
    const token = fc.string({ minLength: 6, maxLength: 20 });
    fc.assert(
      fc.property(anyText, anyText, token, (before, after, secret) => {
        const redactor = new Redactor();
        redactor.addSecret(secret);
        redactor.addCardNumber(CARD);
        fc.pre(!'***'.includes(secret));
        expect(redactor.scrub(`${before}|${secret}|${after}`)).not.toContain(`|${secret}|`);
        if (!before.includes(secret)) expect(redactor.scrub(before)).toBe(before);
      }),
    );
  });
});

test('a guarded output writes nothing secret and is otherwise the same', async () => {
  const redactor = new Redactor();
  const inner = new Capture({ isTerminal: true, columns: 42, color: true });
  const output = guardOutput(inner, redactor);
  redactor.addCardNumber(CARD);
  await output.write(`card ${CARD}\n`);
  expect(inner.text).toBe(`card ${MASKED}\n`);
  expect([output.isTerminal, output.columns, output.color]).toEqual([true, 42, true]);
});
