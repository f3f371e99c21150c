/** What a real server does seldom: tried with one that does it at once. */
import { expect, test } from 'vitest';
import { Failure } from '../../../../src/failure.ts';
import { PostgresIntents } from '../../../../src/journal/postgres/postgres-intents.ts';
import { Lease } from '../../../../src/journal/postgres/postgres-lease.ts';
import type { Server, SqlValue } from '../../../../src/store/postgres/server.ts';
import { standingClock } from '../../../helpers/client.ts';
import { REFUND } from '../../../helpers/money-request.ts';

const failure = (code: string, cause?: unknown) =>
  new Failure('guard', 'The server says no.', { code, next: 'Try again.', cause });
const LINE_IS_TAKEN = failure('ledger-failed', {
  code: '23505',
  constraint: 'money_requests_by_line',
});

test('of a group whose lines another one has taken meanwhile, what is written is not lost with the rest', async () => {
  const answers: (Failure | 'written')[] = [
    LINE_IS_TAKEN,
    'written',
    failure('ledger-unreachable'),
  ];
  const server = {
    runAgain: async () => [],
    run: async (_sql: string, values: readonly SqlValue[]) => {
      const answer = answers.shift();
      if (answer !== 'written') throw answer;
      const written = values.find((value) => Array.isArray(value) && isId(value[0])) as string[];
      return written.map((id) => ({ id, isHeld: true }));
    },
  } as unknown as Server;
  const intents = new PostgresIntents({
    server,
    lease: new Lease(server, standingClock()),
    author: { operator: 'ada', machine: 'desk' },
    onNotKnown: () => undefined,
  });
  const task = (target: string) => ({
    request: { ...REFUND, target, refundOf: target },
    conditions: undefined,
    rounds: 0,
  });
  const became = await intents.intend([task('P-1'), task('P-2')]);
  expect(became).toEqual([expect.objectContaining({ kind: 'written' }), undefined]);
});

function isId(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{8}-/.test(value);
}
