/** Properties that clients need of every answer. */
import { expect } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../src/base/json.ts';
import type { Dialect } from '../../src/contract/local-account.ts';
import type { Expected } from './case.ts';
import type { ClientAnswer, ClientRequest } from './client.ts';
import { RECORDED } from './recorded.ts';

const DATES = [
  ...['card_expiry', 'settlement_date', 'transaction_date', 'created_at'],
  ...['start_date', 'end_date', 'next_billing_date'],
];
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?$/;

/** @returns the record of an answer that is as expected, and as clients need it */
export function checkAnswer(
  { status, headers, text }: ClientAnswer,
  expected: Expected,
  { dialect, request }: { dialect: Dialect; request: ClientRequest },
): Json {
  const body = JSON.parse(text);
  if (expected.bare) {
    expect({ status, body }).toEqual({ status: expected.status, body: expected.bare });
    return null;
  }
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
  if (Array.isArray(response) && request.path.startsWith('/v1.0/purchases'))
    expect(body).toMatchObject(RECORDED['list of purchases']);
  for (const record of [response].flat().filter(isObject)) {
    expect(unreadableDates(record)).toEqual([]);
    if (isPurchase(request, record)) checkPurchase(record, { dialect, isMade: status === 200 });
    if (isRefund(request, record)) checkRefund(record, dialect);
    if (status < 400 && isCustomer(request, record))
      checkOthers(record, RECORDED.customer, dialect);
  }
  return response;
}

/** In one text, which reads well where it is not as expected. */
const inWords = (status: number, errors: readonly string[]) =>
  [status, ...[...errors].sort()].join('\n');

const unreadableDates = (record: JsonObject) =>
  DATES.filter((name) => typeof record[name] === 'string' && !isDate(record[name]));

const isDate = (text: string) => DATE.test(text) && !Number.isNaN(Date.parse(text));

const isCustomer = ({ path }: ClientRequest, record: JsonObject) =>
  path.startsWith('/v1.0/customers') && typeof record.created_at === 'string';

const isRefund = ({ path }: ClientRequest, record: JsonObject) =>
  path.startsWith('/v1.0/refunds') && typeof record.id === 'string';

const isPurchase = ({ path }: ClientRequest, record: JsonObject) =>
  path.startsWith('/v1.0/purchases') && 'decimal_amount' in record;

function checkPurchase(
  record: JsonObject,
  { dialect, isMade }: { dialect: Dialect; isMade: boolean },
): void {
  if (dialect === 'strict') {
    expect(namesIn(record, RECORDED.purchase)).toEqual([]);
    return;
  }
  if (!isMade) return;
  expect(record).toMatchObject({ ...RECORDED.purchase, transaction_id: record.id });
  const { captured, amount } = record;
  if (captured) expect(record).toMatchObject({ ...RECORDED.captured, captured_amount: amount });
  else expect(record).toMatchObject(RECORDED['not captured']);
}

function checkRefund(record: JsonObject, dialect: Dialect): void {
  checkOthers(record, { ...RECORDED.refund, transaction_id: record.id }, dialect);
}

/** Checks the fields that only the deployed dialect answers. */
function checkOthers(record: JsonObject, fields: object, dialect: Dialect): void {
  if (dialect === 'strict') expect(namesIn(record, fields)).toEqual([]);
  else expect(record).toMatchObject(fields);
}

const namesIn = (record: JsonObject, fields: object) =>
  Object.keys(fields).filter((name) => name in record);
