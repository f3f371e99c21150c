/** From the flags of a request to its options. */
import { expect, test } from 'vitest';
import { requestOptions } from '../../../../src/cli/flags/command-options.ts';
import type { RequestOptions } from '../../../../src/client/connection/request-options.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { USUAL_OPTIONS } from '../../../helpers/connection.ts';
import { failureOf } from '../../../helpers/failure.ts';

/** The options without flags and without a terminal. */
const USUAL: RequestOptions = {
  ...USUAL_OPTIONS,
  refusesDuplicates: true,
  refusesOverRefunds: true,
};

type RequestFlags = Parameters<typeof requestOptions>[1];

test.each<[string, RequestFlags, Partial<RequestOptions>]>([
  ['no flags', {}, {}],
  ['--profile live', { profile: 'live' }, { profile: 'live' }],
  ['--confirm live', { confirm: 'live' }, { confirmedProfile: 'live' }],
  ['--timeout 1.5', { timeout: '1.5' }, { timeoutMs: 1_500 }],
  ['--no-journal', { 'no-journal': true }, { recordsMoney: false, refusesOverRefunds: false }],
  ['--allow-duplicate', { 'allow-duplicate': true }, { refusesDuplicates: false }],
  ['--allow-over-refund', { 'allow-over-refund': true }, { refusesOverRefunds: false }],
  ['--debug', { debug: true }, { isDebugging: true }],
  ['--dry-run', { 'dry-run': true }, { isDryRun: true }],
  ['--raw', { raw: true }, { isRaw: true }],
])('the options for %s differ from the usual ones as expected', (_, flags, changes) => {
  expect(requestOptions(createTestHost(), flags)).toEqual({ ...USUAL, ...changes });
});

test.each<[string, RequestFlags, Record<string, string>, readonly string[] | undefined, boolean]>([
  ['a person at a terminal', {}, {}, [], true],
  ['a person who says --no-input', { 'no-input': true }, {}, [], false],
  ['a person with GW_PROMPT=off', {}, { GW_PROMPT: 'off' }, [], false],
  ['a person with GW_PROMPT=on', {}, { GW_PROMPT: 'on' }, [], true],
  ['nobody', {}, {}, undefined, false],
])('gw knows whether it may ask %s', (_, flags, env, answers, mayAsk) => {
  const host = createTestHost({ env, ...(answers ? { answers } : {}) });
  expect(requestOptions(host, flags).mayAsk).toBe(mayAsk);
});

test.each(['0', '0.0001', '601', 'soon'])('refuses --timeout %s', async (timeout) => {
  const failure = await failureOf(() => requestOptions(createTestHost(), { timeout }));
  expect(failure).toMatchObject({ kind: 'usage', code: 'duration-invalid' });
});
