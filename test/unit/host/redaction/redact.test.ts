import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/base/json.ts';
import { redactHeader, redactJson, redactText } from '../../../../src/host/redaction/redact.ts';
import { anyRecord } from '../../../helpers/arbitraries.ts';

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
    ['a card number under any name', { note: CARD, a: [CARD] }, { note: MASKED, a: [MASKED] }],
    [
      'no identifier, by which a record is found again',
      { reference: CARD, id: CARD, transactionId: Number(CARD), plan: CARD, alias: CARD },
      { reference: CARD, id: CARD, transactionId: Number(CARD), plan: CARD, alias: CARD },
    ],
    ['a secret in an identifier', { reference: 'cvv=123' }, { reference: 'cvv=***' }],
    ['what only ends like one', { paid: CARD, valid: CARD }, { paid: MASKED, valid: MASKED }],
    ['one among words', { message: `Card ${CARD}, no` }, { message: `Card ${MASKED}, no` }],
    ['one as a name', { [CARD]: { [`x ${CARD}`]: 1 } }, { [MASKED]: { [`x ${MASKED}`]: 1 } }],
    ['one as a number', { amount: Number(CARD) }, { amount: MASKED }],
    ['one as a number below zero', [-Number(CARD)], [MASKED]],
    [
      'one as a number of too many digits',
      [Number('6212341111111111111')],
      ['621234XXXXXXXXX1000'],
    ],
    ['nothing of what has no text', { cid: { toString: 1 } }, { cid: { toString: 1 } }],
    ['a scalar', CARD, MASKED],
    ['JSON in JSON', ['{"cvv":"123"}'], ['{"cvv":"***"}']],
    [
      'other names of a CVV',
      { verification_value: '123', card_security_code: '123', CVN: 1, csc: '1', cid: '1234' },
      { verification_value: '***', card_security_code: '***', CVN: '***', csc: '***', cid: '***' },
    ],
    [
      'more of them',
      { card_cvc: '1', 'cvv-code': '1', cardVerificationValue: '1', cav2: '1', securityCode: '1' },
      {
        card_cvc: '***',
        'cvv-code': '***',
        cardVerificationValue: '***',
        cav2: '***',
        securityCode: '***',
      },
    ],
    [
      'still more of them',
      { cv2: '1', CV2Number: '1', csc_code: '1' },
      { cv2: '***', CV2Number: '***', csc_code: '***' },
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
    ['other digits', { reference: '20261121000123' }],
    ['a scalar', 20261121000123],
    ['the result of a check', { cvv_result: 'M', cvv_result_code: '100', verification: 'done' }],
    ['an id of a customer', { cid: 'C-100' }],
    ['a mere yes', { cvv: true }],
  ])('redactJson does not change %s', (_, value) => {
    expect(redactJson(value)).toBe(value);
  });

  test('redactJson returns the same record if it hides nothing', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        expect(redactJson(record)).toBe(record);
      }),
    );
  });

  test('redactJson changes only the hidden field', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const redacted = redactJson({ ...record, cvv: '123' });
        expect(redacted).toEqual({ ...record, cvv: '***' });
      }),
    );
  });
});

describe('a text that looks like a token', () => {
  const JWT =
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';
  const OF_CARD = { token: 'k6bq2mfd', card_token: 'k6bq2mfd' };
  const OTHER = { access_token: 'a', client_secret: 'b', apiKey: 'c', jwt: JWT, sessionId: 'd' };
  const GONE = {
    access_token: '***',
    client_secret: '***',
    apiKey: '***',
    jwt: '***',
    sessionId: '***',
  };

  test('is shown in a record', () => {
    const record = { ...OF_CARD, ...OTHER };
    expect(redactJson(record)).toBe(record);
  });

  test('is not stored, except card tokens', () => {
    expect(redactJson({ ...OF_CARD, ...OTHER }, 'kept')).toEqual({ ...OF_CARD, ...GONE });
  });

  test('is hidden outside of records', () => {
    const hidden = { ...GONE, token: '***', card_token: '***' };
    expect(redactJson({ ...OF_CARD, ...OTHER }, 'foreign')).toEqual(hidden);
  });

  test.each([
    [`see ${JWT} there`, 'see *** there'],
    [`${JWT.replace(/[^.]*$/, '')}`, '***'],
    ['access_token=a1b2c3&x=1', 'access_token=***&x=1'],
    ["'client_secret' => 'a1b2c3'", "'client_secret' => '***'"],
    ['<token>a1b2c3</token>', '<token>***</token>'],
    ['<input name="csrf_token" value="a1b2c3">', '<input name="csrf_token" value="***">'],
    ['X-Api-Key: a1b2c3', 'X-Api-Key: ***'],
    ['{"secret":"a1b2', '{"secret":"***'],
    ['Authorization: Bearer a1b2c3d4', 'Authorization: Bearer ***'],
    ['AKIAIOSFODNN7EXAMPLE', '***'],
    ['sk_live_4eC39HqLyjWDarjtT1zdp7dc', '***'],
    ['ghp_16C7e42F292c6912E7710c838347Ae178B4a', '***'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----.', '***.'],
    ['-----BEGIN PRIVATE KEY-----\nMIIE', '***'],
    ['https://user:pass@example.com/x', 'https://***@example.com/x'],
  ])('is hidden in text: %j', (text, redacted) => {
    expect(redactText(text, 'foreign')).toBe(redacted);
    expect(redactText(redacted, 'foreign')).toBe(redacted);
  });

  test.each([
    'Invalid token: expired',
    'The token has expired',
    'key: value',
    'a secret: nothing',
    'mail@example.com://',
  ])('is not found in %j', (text) => {
    expect(redactText(text, 'foreign')).toBe(text);
  });
});

describe('a field called authorization', () => {
  test.each<[string, Json, Json]>([
    ['a number of a bank', '518444', '518444'],
    ['a number that is one', 518444, 518444],
    ['a number with letters', 'A1B2C3', 'A1B2C3'],
    ['nothing', null, null],
    ['a header', 'Basic VEVTVDpURVNU', '***'],
    ['a key', 'k3YsAreLongerThanThat', '***'],
    ['an object', { scheme: 'Basic' }, '***'],
  ])('redactJson hides a possible credential: %s', (_, authorization, kept) => {
    for (const origin of ['kept', 'foreign'] as const)
      expect(redactJson({ authorization }, origin)).toEqual({ authorization: kept });
  });
});

describe('redactHeader', () => {
  test.each([
    ['Authorization', 'Basic VEVTVDpURVNU', 'Basic ***'],
    ['authorization', 'secret', '***'],
    ['Proxy-Authorization', 'Bearer abc', 'Bearer ***'],
    ['Set-Cookie', 'session=1', '***'],
    ['X-Api-Key', 'abc', '***'],
    ['X-Auth-Token', 'abc', '***'],
    ['Location', `/cards/${CARD}?cvv=123`, `/cards/${MASKED}?cvv=***`],
    ['X-Request-Id', 'req 1', 'req 1'],
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
    ['The CVV 123 is wrong; security code: 9876', 'The CVV *** is wrong; security code: ***'],
    [
      '<verification_value>123</verification_value>',
      '<verification_value>***</verification_value>',
    ],
    ['<input name="cvv" value="123">', '<input name="cvv" value="***">'],
    ['card_cvc=123', 'card_cvc=***'],
  ])('redactText makes %j %j', (text, redacted) => {
    expect(redactText(text)).toBe(redacted);
  });

  test.each([
    'Order 20260729000001 of 2026-07-29',
    'Basic access only',
    'Basic Authentication required',
    'password is required',
    '{"apiToken": "…"}',
    'cvv must be three or four digits',
    '{"cvv":null,"password":true}',
    '',
  ])('redactText does not change %j', (text) => {
    expect(redactText(text)).toBe(text);
  });
});
