/** What clients need of every answer, whatever they asked for. */
import { expect } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../src/base/json.ts';
import type { Dialect } from '../../src/contract/local-account.ts';
import type { Expected } from './case.ts';
import type { ClientAnswer, ClientRequest } from './client.ts';

const DATES = [
  ...['card_expiry', 'settlement_date', 'transaction_date', 'created_at'],
  ...['start_date', 'end_date', 'next_billing_date'],
];
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?$/;

/** Fields of a purchase that the text does not have (section 2.3). */
const DEPLOYED_ONLY = ['response_code', 'captured', 'transaction_id', 'card_type'];

/** @returns the record of an answer that is as expected, and as clients need it */
export function checkAnswer(
  { status, headers, text }: ClientAnswer,
  expected: Expected,
  { dialect, request }: { dialect: Dialect; request: ClientRequest },
): Json {
  const body = JSON.parse(text);
  const { response, errors } = body;
  const expectedErrors = expected.errors ?? (expected.status < 400 ? [] : errors);
  expect(inWords(status, errors)).toBe(inWords(expected.status, expectedErrors));
  if (expected.response) expect(response).toMatchObject(expected.response);

  // Deployments reject with status 200, too.
  expect(body).toMatchObject({ successful: expectedErrors.length === 0, test: true });
  expect(errors.length > 0).toBe(!body.successful);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers['x-gw-dialect']).toBe(dialect);
  // Clients look into the record of a failure too.
  if (dialect === 'deployed') expect(response).not.toBeNull();
  for (const record of [response].flat().filter(isObject)) {
    expect(unreadableDates(record)).toEqual([]);
    if (isPurchase(request, record)) checkPurchase(record, { dialect, isMade: status === 200 });
  }
  return response;
}

/** In one text, which reads well where it is not as expected. */
const inWords = (status: number, errors: readonly string[]) =>
  [status, ...[...errors].sort()].join('\n');

const unreadableDates = (record: JsonObject) =>
  DATES.filter((name) => typeof record[name] === 'string' && !isDate(record[name]));

const isDate = (text: string) => DATE.test(text) && !Number.isNaN(Date.parse(text));

const isPurchase = ({ path }: ClientRequest, record: JsonObject) =>
  path.startsWith('/v1.0/purchases') && 'decimal_amount' in record;

function checkPurchase(
  record: JsonObject,
  { dialect, isMade }: { dialect: Dialect; isMade: boolean },
): void {
  if (dialect === 'strict') {
    expect(DEPLOYED_ONLY.filter((name) => name in record)).toEqual([]);
    return;
  }
  if (!isMade) return;
  expect(record).toMatchObject({
    response_code: expect.stringMatching(/^\d\d$/),
    captured: record.successful,
    transaction_id: record.id,
    card_type: expect.stringMatching(/^(?:VISA|MasterCard|AMEX|JCB|Discover)$/),
  });
}
