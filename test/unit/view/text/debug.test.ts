import { describe, expect, test } from 'vitest';
import { Redactor } from '../../../../src/host/redaction/redactor.ts';
import { renderRaw, renderRequest, renderResponse } from '../../../../src/view/text/debug.ts';

const redactor = new Redactor();
redactor.addCredentials('merchant', 'token-123456');
redactor.addCardNumber('5123456789012346');

test('a request shows everything but secrets', () => {
  const request = {
    method: 'POST',
    url: 'https://user:token-123456@gateway.example/v1.0/purchases?api_token=abc',
    headers: {
      authorization: 'Basic bWVyY2hhbnQ6dG9rZW4tMTIzNDU2',
      accept: ['application/json', 'text/plain'],
      'x-none': undefined,
    },
    body: '{"amount":2500,"card_number":"5123456789012346","cvv":"123","reference":"token-123456\u009b"}',
  };
  expect(renderRequest(request, redactor)).toBe(`\
> POST https://***@gateway.example/v1.0/purchases?api_token=***
> authorization: Basic ***
> accept: application/json
> accept: text/plain
> {"amount":2500,"card_number":"512345XXXXXX2346","cvv":"***","reference":"***\\u009b"}
`);
});

test('a request may have no body', () => {
  const request = { method: 'GET', url: 'https://gateway.example/', headers: {} };
  expect(renderRequest(request, redactor)).toBe('> GET https://gateway.example/\n');
});

test('each line of a response is marked and has no dangerous characters', () => {
  const response = {
    status: 502,
    headers: { 'content-type': 'text/html', 'set-cookie': 'a=b', 'x-evil': 'a\r\nb: c' },
    body: '<h1>\u001b[2JBad\r\n5123456789012346</h1>',
    durationMs: 131.7,
  };
  expect(renderResponse(response, redactor)).toBe(`\
< 502 in 132 ms
< content-type: text/html
< set-cookie: ***
< x-evil: a\\r\\nb: c
< <h1>\\u001b[2JBad\\r
< 512345XXXXXX2346</h1>
`);
});

test('a long body is cut', () => {
  const response = { status: 200, headers: {}, body: 'x'.repeat(1e6), durationMs: 1 };
  expect(renderResponse(response, redactor).length).toBeLessThan(21_000);
});

describe('renderRaw', () => {
  test('keeps the layout, order and large integers of a body', () => {
    const body = '{ "b": 12345678901234567890,\n\t"a": "é" }';
    expect(renderRaw(body, redactor)).toBe(body);
  });

  test('escapes control characters without changing the value', () => {
    const body = '{"a":"\u202e\u007f",\r"b":1}';
    expect(renderRaw(body, redactor)).toBe('{"a":"\\u202e\\u007f","b":1}');
  });

  test('hides secrets and keeps the layout', () => {
    expect(renderRaw('{"cvv":"123","n":1}', redactor)).toBe('{"cvv":"***","n":1}');
    expect(renderRaw('{\n"cvv":"123"}', redactor)).toBe('{\n  "cvv": "***"\n}');
  });

  test('decodes JSON before it searches it', () => {
    const redactor = new Redactor();
    redactor.addSecret('secret-token');
    redactor.addCardNumber('9999999999999995');
    const escaped = (text: string) =>
      text.replace(/./g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);
    for (const [text, shown] of [
      ['secret-token', '***'],
      ['5123456789012346', '512345XXXXXX2346'],
      ['9999999999999995', '999999XXXXXX9995'],
    ] as const)
      expect(renderRaw(`{"note":"${escaped(text)}"}`, redactor)).toBe(`{"note":"${shown}"}`);
  });

  test('shows a body that is not JSON', () => {
    expect(renderRaw('<p>\u001b[2J</p>\ncvv=123', redactor)).toBe('<p>\\u001b[2J</p>\ncvv=***');
  });

  test('hides a body that is nested too deeply', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    expect(renderRaw(deep, redactor)).toContain('***');
  });
});
