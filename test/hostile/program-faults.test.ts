/**
 * The same faults through the built program, whole: exit code, what is printed where, what the journal
 * keeps, and that nothing is sent twice. `faults.test.ts` and `answers.test.ts` have all of the rows;
 * a batch goes by the pooled sender, a single request by the other.
 */
import { describe, expect, test } from 'vitest';
import { answer, type Behaviour, hostileServer } from '../helpers/hostile-server.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { gw } from './support.ts';

const REFUND = [
  'refund',
  'create',
  '--transaction-id',
  '071-P-1',
  '--amount',
  '1000',
  '--reference',
  'RET-1',
  '-o',
  'json',
];
const BATCH = ['refund', 'batch', '-'];
const LINES = 'transaction_id,amount,reference\n071-P-1,1000,RET-1\n';
const RECORD = { id: '071-R-1', amount: -1000, successful: true, refunded: 'Approved' };

const yes = (response: unknown) =>
  JSON.stringify({ successful: true, response, errors: [], test: true });
const no = (response: unknown) =>
  JSON.stringify({ successful: false, response, errors: ['No'], test: true });

interface Row {
  name: string;
  /** To a refund; a look-up finds nothing. */
  onRefund: NonNullable<Behaviour['onRequest']>;
  exit: number;
  outcome: string;
  /** In the sentence that says what to do. */
  next?: string;
  /** Requests of the batch; the single request is sent once. */
  sent?: number;
}
const says =
  (text: string): Row['onRefund'] =>
  (socket) =>
    socket.write(text);
const unknown = { exit: 8, outcome: 'unknown', next: 'gw journal resolve ' };

const ROWS: Row[] = [
  { name: 'an approval', onRefund: says(answer(200, yes(RECORD))), exit: 0, outcome: 'done' },
  {
    name: 'an approval after 103',
    onRefund: says(`HTTP/1.1 103 Early Hints\r\n\r\n${answer(200, yes(RECORD))}`),
    exit: 0,
    outcome: 'done',
  },
  {
    name: '400',
    onRefund: says(answer(400, no({ id: null, card_number: '512345XXXXXX2346' }))),
    exit: 6,
    outcome: 'rejected',
    next: 'Nothing was processed.',
  },
  {
    name: '401',
    onRefund: says(answer(401, no(null))),
    exit: 3,
    outcome: 'rejected',
    next: 'gw whoami',
  },
  {
    name: '429 five times',
    onRefund: says(answer(429, no(null), { 'retry-after': '0' })),
    exit: 6,
    outcome: 'rejected',
    next: 'Nothing was processed.',
    sent: 5,
  },
  ...[401, 403, 404, 429].map((status) => ({
    name: `${status} with an approved refund`,
    onRefund: says(answer(status, no(RECORD), { 'retry-after': '0' })),
    ...unknown,
  })),
  {
    name: '429 with half an approval',
    onRefund: says(answer(429, yes(RECORD).slice(0, -9))),
    ...unknown,
  },
  {
    name: '200, not successful, with an id',
    onRefund: says(answer(200, no({ id: '071-R-1' }))),
    exit: 6,
    outcome: 'rejected',
  },
  { name: '503 with a failure envelope', onRefund: says(answer(503, no(null))), ...unknown },
  {
    name: 'another amount',
    onRefund: says(answer(200, yes({ ...RECORD, amount: -999_999 }))),
    ...unknown,
  },
  {
    name: 'another reference',
    onRefund: says(answer(200, yes({ ...RECORD, reference: 'RET-2' }))),
    ...unknown,
  },
  { name: 'a success without a record', onRefund: says(answer(200, yes(null))), ...unknown },
  { name: 'two records', onRefund: says(answer(200, yes([RECORD, RECORD]))), ...unknown },
  { name: 'a reset', onRefund: (socket) => socket.resetAndDestroy(), ...unknown },
  {
    name: 'a redirect',
    onRefund: says(answer(307, '', { location: 'http://127.0.0.1:1/' })),
    ...unknown,
  },
  {
    name: 'a body without an end',
    onRefund(socket) {
      socket.write(answer(200, '', { 'transfer-encoding': 'chunked' }));
      const chunk = `100000\r\n${' '.repeat(0x100000)}\r\n`;
      const more = () => socket.write(chunk, (error) => error || more());
      more();
    },
    ...unknown,
  },
];

const serve = (onRefund: Row['onRefund']): Behaviour => ({
  onRequest(socket, request, index) {
    if (request.method === 'POST') onRefund(socket, request, index);
    else socket.write(answer(404, '{"successful":false,"errors":["Purchase not found"]}'));
  },
});
const posts = (requests: readonly { method: string }[]) =>
  requests.filter(({ method }) => method === 'POST').length;

describe('a refund', () => {
  test.each(ROWS)('answered with $name', async ({ onRefund, exit, outcome, next }) => {
    const home = temporaryDirectory();
    const { url, requests } = await hostileServer(serve(onRefund));
    // A program that kept what it reads would need more.
    const nodeArgs = ['--max-old-space-size=96'];
    const end = await gw(REFUND, { url, home, nodeArgs });
    expect(end.code).toBe(exit);
    expect(posts(requests)).toBe(1);
    expect(end.stdout === '').toBe(exit !== 0);
    const journal = await gw(['journal', 'list', '--all-profiles', '-o', 'json'], { home });
    const [{ id, state }] = JSON.parse(journal.stdout) as [{ id: string; state: string }];
    expect(state).toBe(outcome);
    if (next === undefined) return;
    const { error } = JSON.parse(end.stderr);
    expect(error.exit_code).toBe(exit);
    expect(error.next).toContain(exit === 8 ? `\`gw journal resolve ${id}\`` : next);
  });
});

describe('a line of a batch', () => {
  test.each(ROWS)('answered with $name', async ({ onRefund, exit, outcome, sent = 1 }) => {
    const home = temporaryDirectory();
    const { url, requests } = await hostileServer(serve(onRefund));
    const end = await gw(BATCH, { url, home, input: LINES });
    expect(JSON.parse(end.stdout)).toMatchObject({ line: 2, outcome });
    expect(end.code).toBe(exit === 0 ? 0 : 9);
    expect(posts(requests)).toBe(sent);
    if (exit !== 8) return;
    // The same command does not send unknown lines again, either.
    const again = await gw(BATCH, { url, home, input: LINES });
    expect(again.code).toBe(9);
    expect(posts(requests)).toBe(sent);
  });
});
