/** From the options of a batch to what is sent, printed and said; without a process. */
import { describe, expect, test } from 'vitest';
import type { BatchFlags } from '../../../src/batch/batch-options.ts';
import { emptyTally, type Tally } from '../../../src/batch/engine/batch.ts';
import { conclude, runBatchCommand } from '../../../src/batch/run-batch.ts';
import { refundCreate } from '../../../src/contract/refund.ts';
import { Failure } from '../../../src/failure.ts';
import { Redactor } from '../../../src/redaction/redact.ts';
import { createTestHost, type TestHostOptions } from '../../helpers/cli.ts';
import { failureOf } from '../../helpers/failure.ts';
import { answer, hostileServer } from '../../helpers/hostile-server.ts';

const row = (n: number) => `071-P-1,100,R-${n}`;
const csv = (...rows: string[]) => ['transaction_id,amount,reference', ...rows].join('\n');
const THREE = csv(row(1), row(2), row(3));
const envelope = (response: object) =>
  answer(200, JSON.stringify({ successful: true, response, errors: [], test: true }));
const APPROVED = envelope({ id: '071-R-1', successful: true });
const REFUSED = answer(400, JSON.stringify({ successful: false, errors: ['No'] }));

interface Setting {
  input?: string;
  flags?: BatchFlags;
  environment?: string;
  /** To each request in turn, then the last for ever; resets the connection where there is none. */
  answers?: readonly (string | undefined)[];
  host?: TestHostOptions;
}

interface End {
  outcomes: string[];
  stderr: string;
  failure: Failure | undefined;
  sent: number;
}

/** Runs a batch for each setting, one after the other, on one machine and against one gateway. */
async function run(...settings: Setting[]): Promise<End[]> {
  const ends: End[] = [];
  let answers: readonly (string | undefined)[] = [];
  let sent = 0;
  const server = await hostileServer({
    onRequest(socket) {
      const text = sent < answers.length ? answers[sent] : answers.at(-1);
      sent++;
      if (text === undefined) socket.resetAndDestroy();
      else socket.write(text);
    },
  });
  const { files } = createTestHost();
  for (const { input = THREE, flags = {}, environment, host, ...rest } of settings) {
    answers = rest.answers ?? [APPROVED];
    sent = 0;
    const testHost = createTestHost({
      ...host,
      env: {
        GW_USERNAME: 'shop',
        GW_API_TOKEN: 'secret-token',
        GW_BASE_URL: server.url.href,
        GW_ENVIRONMENT: environment ?? 'sandbox',
      },
    });
    const replay = {
      async *lines() {
        yield* input.split('\n');
      },
      close: () => undefined,
    };
    const context = {
      host: { ...testHost, files, replay: async () => replay },
      redactor: new Redactor(),
      root: '.',
    };
    const request = { operation: refundCreate, source: '-', flags: { batch: 'b', ...flags } };
    const failure = await runBatchCommand(context, request).then(
      () => undefined,
      (error) => {
        if (error instanceof Failure) return error;
        throw error;
      },
    );
    const outcomes = testHost.stdout.text
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { outcome: string }).outcome);
    ends.push({ outcomes, stderr: testHost.stderr.text, failure, sent });
  }
  return ends;
}

const ONE_AT_A_TIME = { concurrency: '1' };

describe('from flags to effects', () => {
  test.each<[string, Setting, string[], string | undefined, number]>([
    ['whose lines are approved is done', {}, ['done', 'done', 'done'], undefined, 3],
    [
      'one of whose lines is rejected is incomplete',
      { flags: ONE_AT_A_TIME, answers: [APPROVED, REFUSED, APPROVED] },
      ['done', 'rejected', 'done'],
      'batch-incomplete',
      3,
    ],
    [
      'one of whose answers is lost says that it is unknown, and sends it once',
      { flags: ONE_AT_A_TIME, answers: [APPROVED, undefined, APPROVED] },
      ['done', 'unknown', 'done'],
      'batch-incomplete',
      3,
    ],
    [
      'sends nothing with --dry-run',
      { flags: { 'dry-run': true } },
      ['not-started', 'not-started', 'not-started'],
      undefined,
      0,
    ],
    ['above --max-count sends nothing', { flags: { 'max-count': '2' } }, [], 'too-many-lines', 0],
    [
      'above --max-total sends nothing',
      { flags: { 'max-total': '299' } },
      [],
      'total-too-large',
      0,
    ],
    ['with a wrong line sends nothing', { input: csv(row(1), 'x,y') }, [], 'input-invalid', 0],
    ['without a line sends nothing', { input: csv() }, [], 'input-invalid', 0],
    ['with a repeated line sends nothing', { input: csv(row(1), row(1)) }, [], 'input-invalid', 0],
    [
      'with a repeated line sends both with --allow-duplicate',
      { input: csv(row(1), row(1)), flags: { 'allow-duplicate': true } },
      ['done', 'done'],
      undefined,
      2,
    ],
    [
      'on a live profile sends nothing without a confirmation',
      { environment: 'live' },
      [],
      'nobody-to-confirm',
      0,
    ],
    [
      'on a live profile is confirmed once for all lines',
      { environment: 'live', host: { answers: ['environment'] } },
      ['done', 'done', 'done'],
      undefined,
      3,
    ],
  ])('a batch %s', async (_, setting, outcomes, code, sent) => {
    const [end] = await run(setting);
    expect(end).toMatchObject({ outcomes, sent });
    expect(end?.failure?.code).toBe(code);
  });

  // The answer to a line lets the next one start, while what became of it is written down.
  test.each<[string, Setting]>([
    ['too many failures', { flags: { 'stop-after-failures': '1' }, answers: [REFUSED] }],
    ['credentials that are not accepted', { answers: [answer(401, '')] }],
  ])('a batch is ended by %s', async (_, { flags, ...setting }) => {
    const input = csv(...Array.from({ length: 20 }, (_, n) => row(n)));
    const [end] = await run({ ...setting, input, flags: { ...ONE_AT_A_TIME, ...flags } });
    expect(end?.failure?.code).toBe('batch-incomplete');
    expect(end?.failure?.message).toContain('No more were started: ');
    expect(end?.outcomes[0]).toBe('rejected');
    expect(end?.outcomes.filter((outcome) => outcome === 'not-started')).toHaveLength(
      20 - (end?.sent ?? 0),
    );
    expect(end?.sent).toBeLessThan(20);
  });

  test('a batch shows whoever confirms it how many lines there are, and what they come to', async () => {
    const [end] = await run({
      environment: 'live',
      host: { answers: ['no'] },
      input: '{"transaction_id":"P","amount":2550,"reference":"R"}',
    });
    expect(end?.failure?.code).toBe('not-confirmed');
    for (const shown of ['refund create, 1 times', 'environment (live)', 'shop', '2550'])
      expect(end?.stderr).toContain(shown);
  });

  test('a batch that is run again sends nothing that is done or unknown', async () => {
    const first = { flags: ONE_AT_A_TIME, answers: [APPROVED, undefined, REFUSED] };
    const [once, again, retried] = await run(first, {}, { flags: { 'retry-unknown': true } });
    expect(once?.outcomes).toEqual(['done', 'unknown', 'rejected']);
    expect(again).toMatchObject({ outcomes: ['done', 'unknown', 'done'], sent: 1 });
    expect(retried).toMatchObject({ outcomes: ['done', 'done', 'done'], sent: 1 });
    expect(retried?.stderr).toContain('3 done (2 of them earlier)');
  });
});

describe('the end of a batch', () => {
  const tally = (counts: Partial<Tally>): Tally => ({ ...emptyTally(), ...counts });

  test('all of whose lines are done is no failure', () => {
    expect(() =>
      conclude({ tally: tally({ done: 3, doneEarlier: 1 }), stoppedBy: undefined }, false),
    ).not.toThrow();
  });

  test.each<[Partial<Tally>, string | undefined, string]>([
    [{ done: 2, declined: 1 }, undefined, '1 line is not done.'],
    [
      { rejected: 1, 'not-started': 2 },
      'it was enough',
      '3 lines are not done. No more were started: it was enough.',
    ],
  ])('of which %o is told', async (counts, stoppedBy, message) => {
    const failure = await failureOf(() => conclude({ tally: tally(counts), stoppedBy }, false));
    expect(failure).toMatchObject({ kind: 'incomplete', exitCode: 9, message });
  });

  test('names the journal when an outcome is unknown', async () => {
    const report = { tally: tally({ unknown: 1 }), stoppedBy: undefined };
    const failure = await failureOf(() => conclude(report, false));
    expect(failure.next).toContain('gw journal list --unresolved');
  });

  test('that was interrupted is interrupted, whatever is done', async () => {
    const failure = await failureOf(() =>
      conclude({ tally: tally({ done: 3 }), stoppedBy: undefined }, true),
    );
    expect(failure).toMatchObject({ kind: 'interrupted', exitCode: 130 });
  });
});
