/** From the options of a batch to what is sent, printed and said; without a process. */
import { describe, expect, test } from 'vitest';
import { refundCreate } from '../../../../src/contract/resources/refund.ts';
import { Failure } from '../../../../src/failure.ts';
import { Redactor } from '../../../../src/host/redaction/redactor.ts';
import { batchOptions } from '../../../../src/requests/batch/batch-options.ts';
import { runBatchCommand } from '../../../../src/requests/batch/run-batch.ts';
import { createTestHost, type TestHostOptions } from '../../../helpers/cli.ts';
import { answer, hostileServer } from '../../../helpers/hostile-server.ts';

const row = (n: number) => `071-P-1,100,R-${n}`;
const csv = (...rows: string[]) => ['transaction_id,amount,reference', ...rows].join('\n');
const THREE = csv(row(1), row(2), row(3));
const envelope = (response: object, test = true) =>
  answer(200, JSON.stringify({ successful: true, response, errors: [], test }));
/** Each has an id of its own. */
const ID = '071-R-0000';
const APPROVED = envelope({ id: ID, successful: true });
const REPEATED = envelope({ id: '071-R-0001', successful: true });
const DECLINED = envelope({ id: null, successful: false, message: 'Insufficient Funds' });
const rejected = (status: number, error: string, test = true) =>
  answer(status, JSON.stringify({ successful: false, response: null, errors: [error], test }));
const REFUSED = rejected(400, 'No');
/** Answers of the live gateway. */
const LIVE_APPROVED = envelope({ id: ID, successful: true }, false);
const LIVE_DECLINED = envelope({ id: null, successful: false }, false);

interface Setting {
  input?: string;
  flags?: Parameters<typeof batchOptions>[1];
  environment?: string;
  /** To each request in turn, then the last for ever; resets the connection where there is none. */
  answers?: readonly (string | undefined)[];
  host?: TestHostOptions;
  /** Takes the printed results; without it, the test keeps them. */
  write?: () => Promise<void>;
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
  let made = 0;
  const server = await hostileServer({
    onRequest(socket) {
      const text = sent < answers.length ? answers[sent] : answers.at(-1);
      sent++;
      if (text === undefined) socket.resetAndDestroy();
      else socket.write(text.replace(ID, `071-R-${String(++made).padStart(4, '0')}`));
    },
  });
  const { files } = createTestHost();
  for (const { input = THREE, flags = {}, environment, host, write, ...rest } of settings) {
    answers = rest.answers ?? [APPROVED];
    sent = 0;
    const testHost = createTestHost({
      ...host,
      stdin: input,
      env: {
        GW_USERNAME: 'shop',
        GW_API_TOKEN: 'secret-token',
        GW_BASE_URL: server.url.href,
        GW_ENVIRONMENT: environment ?? 'sandbox',
      },
    });
    if (write) testHost.stdout.write = write;
    const context = {
      host: { ...testHost, files },
      redactor: new Redactor(),
      root: '.',
    };
    const asks = { batch: 'b', output: 'jsonl' as const, ...flags };
    const failure = await runBatchCommand(context, {
      operation: refundCreate,
      source: '-',
      options: batchOptions(context.host, asks),
    }).then(
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

describe('a batch from its flags to its effects', () => {
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
      'one of whose answers shows the record of an earlier line says that it is unknown, and ends',
      { flags: ONE_AT_A_TIME, answers: [APPROVED, REPEATED, APPROVED] },
      ['done', 'unknown', 'not-started'],
      'answers-mixed-up',
      2,
    ],
    ['without a line sends nothing', { input: csv() }, [], 'input-invalid', 0],
    [
      'with a repeated line sends both with --allow-duplicate',
      { input: csv(row(1), row(1)), flags: { 'allow-duplicate': true } },
      ['done', 'done'],
      undefined,
      2,
    ],
    [
      'on a live profile is confirmed once for all lines',
      { environment: 'live', host: { answers: ['environment'] }, answers: [LIVE_APPROVED] },
      ['done', 'done', 'done'],
      undefined,
      // The currency of their purchase is asked for first.
      4,
    ],
  ])('a batch %s', async (_, setting, outcomes, code, sent) => {
    const [end] = await run(setting);
    expect(end).toMatchObject({ outcomes, sent });
    expect(end?.failure?.code).toBe(code);
  });

  test('a batch whose output is gone starts no more lines, and counts all of them and their money', async () => {
    const write = async () => {
      throw new Failure('output-unwritable', 'Gone.', 'Look.');
    };
    const [end] = await run({ flags: ONE_AT_A_TIME, write });
    expect(end?.failure?.code).toBe('output-unwritable');
    const [, done] =
      /^Refund batch, 3 lines: (\d) done(?:, \d not started)?\. Total done: \1\.00 /.exec(
        end?.stderr ?? '',
      ) ?? [];
    expect(Number(done), end?.stderr).toBe(end?.sent);
  });

  test('a batch ends after an answer with the record of an earlier batch', async () => {
    const input = csv(...Array.from({ length: 20 }, (_, n) => row(n + 2)));
    const answers = [REPEATED, APPROVED];
    const [, end] = await run({ input: csv(row(1)) }, { input, flags: ONE_AT_A_TIME, answers });
    expect(end?.outcomes[0]).toBe('unknown');
    expect(end?.outcomes.at(-1)).toBe('not-started');
    expect(end?.failure?.code).toBe('answers-mixed-up');
  });

  // The answer to a line lets the next one start, while what became of it is written down.
  test.each<[string, Setting]>([
    ['too many failures', { flags: { 'stop-after-failures': '1' }, answers: [REFUSED] }],
    ['credentials that are not accepted', { answers: [answer(401, '')] }],
  ])('a batch ends after %s', async (_, { flags, ...setting }) => {
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

  const THIRTY = csv(...Array.from({ length: 30 }, (_, n) => row(n)));

  test.each<[string, string, string | undefined]>([
    ['is approved', LIVE_APPROVED, 'done'],
    ['is declined', LIVE_DECLINED, 'declined'],
    ['is rejected', rejected(400, 'No', false), 'rejected'],
    ['is rejected for its account', rejected(403, 'No', false), 'rejected'],
    ['is not found', rejected(404, 'No', false), 'rejected'],
    ['is too much', rejected(429, 'No', false), 'rejected'],
    ['is lost, with an envelope', rejected(500, 'No', false), 'unknown'],
  ])(
    'a batch of a sandbox profile ends when a line that %s is answered LIVE',
    async (_, live, outcome) => {
      const answers = [APPROVED, live, APPROVED];
      const [end] = await run({ input: THIRTY, flags: ONE_AT_A_TIME, answers });
      expect(end?.sent).toBe(2);
      expect(end?.outcomes).toEqual(['done', outcome, ...Array(28).fill('not-started')]);
      expect(end?.failure).toMatchObject({ exitCode: 9, code: 'wrong-mode' });
      expect(end?.failure?.message).toContain(
        'environment is sandbox, but the gateway answered LIVE',
      );
    },
  );

  test('a batch of a live profile ends when it is answered in TEST mode', async () => {
    const flags = { ...ONE_AT_A_TIME, confirm: 'environment' };
    const answers = [LIVE_APPROVED, APPROVED];
    const [end] = await run({ environment: 'live', input: THIRTY, flags, answers });
    expect(end).toMatchObject({ sent: 2, failure: { code: 'wrong-mode' } });
  });

  test('a batch fails if its last answer has the wrong mode', async () => {
    const [end] = await run({ flags: ONE_AT_A_TIME, answers: [APPROVED, APPROVED, LIVE_APPROVED] });
    expect(end?.outcomes).toEqual(['done', 'done', 'done']);
    expect(end?.failure).toMatchObject({ exitCode: 9, code: 'wrong-mode' });
  });

  test('an answer without a mode fits any profile', async () => {
    const text = JSON.stringify({ successful: true, response: { id: ID, successful: true } });
    const [end] = await run({ answers: [answer(200, text)] });
    expect(end?.failure).toBeUndefined();
  });

  /** The answers to the first lines; the others are approved. */
  const first = (count: number, text: (n: number) => string | undefined) => [
    ...Array.from({ length: count }, (_, n) => text(n)),
    APPROVED,
  ];
  test.each<[string, readonly (string | undefined)[], number, string | undefined]>([
    ['are rejected with one message', first(20, () => REFUSED), 20, 'lines-fail-alike'],
    [
      'are rejected with one message that names each',
      first(20, (n) => rejected(404, `Purchase 071-P-${n} not found`)),
      20,
      'lines-fail-alike',
    ],
    ['have no permission', first(20, () => rejected(403, 'No')), 20, 'lines-fail-alike'],
    ['are lost', first(20, () => undefined), 20, 'lines-fail-alike'],
    ['but one are rejected', first(19, () => REFUSED), 30, 'batch-incomplete'],
    [
      'are rejected for two reasons',
      first(20, (n) => rejected(400, n === 9 ? 'Yes' : 'No')),
      30,
      'batch-incomplete',
    ],
    ['are declined, each by its issuer', first(20, () => DECLINED), 30, 'batch-incomplete'],
    ['are done, before others fail', [...Array(1).fill(APPROVED), REFUSED], 30, 'batch-incomplete'],
  ])(
    'a batch whose first twenty lines %s sends the expected requests',
    async (_, answers, sent, code) => {
      const [end] = await run({ input: THIRTY, flags: ONE_AT_A_TIME, answers });
      // The answer to a line lets the next one start, while what became of it is written down.
      expect(Number(end?.sent) - sent).toBeOneOf([0, 1]);
      expect(end?.failure?.code).toBe(code);
    },
  );

  test('a batch whose first twenty lines fail alike stops, with many lines in flight', async () => {
    const [end] = await run({ input: THIRTY, flags: { concurrency: '16' }, answers: [REFUSED] });
    expect(end).toMatchObject({ sent: 20, failure: { code: 'lines-fail-alike' } });
    expect(end?.outcomes).toEqual([
      ...Array(20).fill('rejected'),
      ...Array(10).fill('not-started'),
    ]);
  });

  test('a batch with one other answer among its first lines goes on, with many lines in flight', async () => {
    const answers = first(20, (n) => (n === 19 ? APPROVED : REFUSED));
    const [end] = await run({ input: THIRTY, flags: { concurrency: '16' }, answers });
    expect(end).toMatchObject({ sent: 30, failure: { code: 'batch-incomplete' } });
  });

  test.each<[string, Setting, number, string | undefined]>([
    ['ends after the first twenty', {}, 20, 'lines-fail-alike'],
    [
      'goes on where failures are accepted',
      { flags: { 'stop-after-failures': '100' } },
      30,
      'batch-incomplete',
    ],
    [
      'of twenty lines just runs',
      { input: csv(...Array.from({ length: 20 }, (_, n) => row(n))) },
      20,
      'batch-incomplete',
    ],
  ])('a batch whose lines all fail alike %s', async (_, setting, sent, code) => {
    const [end] = await run({
      input: THIRTY,
      answers: [REFUSED],
      ...setting,
      flags: { ...ONE_AT_A_TIME, ...setting.flags },
    });
    expect(Number(end?.sent) - sent).toBeOneOf([0, 1]);
    expect(end?.failure?.code).toBe(code);
    expect(end?.failure?.message + String(end?.failure?.next)).not.toContain('allow-duplicate');
  });

  test('the confirmation of a batch shows the number of lines and their total', async () => {
    const [end] = await run({
      environment: 'live',
      host: { answers: ['no', 'no', 'no'] },
      input: '{"transaction_id":"P","amount":2550,"reference":"R"}',
    });
    expect(end?.failure?.code).toBe('not-confirmed');
    for (const shown of [
      'refund batch, 1 line',
      'environment (LIVE)',
      'shop',
      '25.50 (account currency)',
    ])
      expect(end?.stderr).toContain(shown);
  });
});

describe('lines whose card was declined', () => {
  const codes = (...all: string[]) =>
    all.map((response_code) =>
      envelope({ id: null, successful: false, message: 'Declined', response_code }),
    );

  test('are sent again, unless the card can never pay', async () => {
    const again = { answers: [APPROVED] };
    const [first, second, third, last] = await run(
      { answers: [...codes('43', '51'), APPROVED], flags: { concurrency: '1' } },
      again,
      again,
      { ...again, flags: { 'retry-declined': true } },
    );
    expect(first?.outcomes).toEqual(['declined', 'declined', 'done']);
    expect(first?.failure?.next).toContain('1 line was declined, and no money moved: run it again');
    expect(first?.failure?.next).toContain('1 line was declined, and its card can never pay');
    expect(second).toMatchObject({ sent: 1, outcomes: ['declined', 'done', 'done'] });
    expect(second?.stderr).toContain('2 done (1 of them earlier), 1 declined');
    expect(second?.failure?.next).toMatch(/^1 line was declined, .* only with --retry-declined\.$/);
    expect(third?.sent).toBe(0);
    expect(last).toMatchObject({ sent: 1, outcomes: ['done', 'done', 'done'], failure: undefined });
  });

  test('say when and why, in a dry run too', async () => {
    const [, dry] = await run(
      { input: csv(row(1)), answers: codes('43') },
      { input: csv(row(1)), flags: { 'dry-run': true } },
    );
    expect(dry?.sent).toBe(0);
    expect(dry?.failure?.message).toBe('1 line would not be sent.');
  });
});
