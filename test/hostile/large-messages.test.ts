/** Very long messages of a gateway are read and judged, but not stored. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { answer, hostileServer } from '../helpers/hostile-server.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { gw } from './support.ts';

const MESSAGE = 'Approved '.repeat(1_700_000);
const HEAP_MB = 256;
const MAX_JOURNAL_BYTES = 1024 * 1024;

interface Long {
  what: string;
  status: number;
  envelope: (reference: string) => object;
  code: number;
}

const record = (reference: string) => ({
  id: `071-R-${reference}`,
  reference,
  amount: -100,
  successful: true,
});

const LONG: Long[] = [
  {
    what: 'a message',
    status: 200,
    envelope: (reference) => ({
      ...envelope,
      response: { ...record(reference), message: MESSAGE },
    }),
    code: 0,
  },
  {
    what: 'a name',
    status: 200,
    envelope: (reference) => ({
      ...envelope,
      response: { ...record(reference), card_holder: MESSAGE },
    }),
    code: 0,
  },
  {
    what: 'an error',
    status: 400,
    envelope: () => ({ successful: false, response: null, errors: [MESSAGE], test: true }),
    code: 9,
  },
  {
    what: 'a thousand fields',
    status: 200,
    envelope: (reference) => ({
      ...envelope,
      response: { ...record(reference), ...fields(1_000, MESSAGE.slice(0, 15_000)) },
    }),
    code: 0,
  },
];
const envelope = { successful: true, errors: [], test: true };
const fields = (count: number, text: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`field_${i}`, text]));

test.each(LONG)('$what of 15 MB fill neither memory nor journal', async (long) => {
  const server = await hostileServer({
    onRequest(socket, { body }) {
      const { reference } = JSON.parse(body);
      socket.write(answer(long.status, JSON.stringify(long.envelope(reference))));
    },
  });
  const home = temporaryDirectory();
  const lines = Array.from({ length: 4 }, (_, i) => `071-P-${i},100,R-${i}\n`);
  const { code, stderr } = await gw(['refund', 'batch', '-', '--concurrency', '2'], {
    url: server.url,
    home,
    input: `transaction_id,amount,reference\n${lines.join('')}`,
    nodeArgs: [`--max-old-space-size=${HEAP_MB}`],
  });
  expect(code, stderr).toBe(long.code);
  expect(server.requests).toHaveLength(lines.length);
  const state = path.join(home, '.local/state/gw');
  const sizes = readdirSync(state).map((name) => statSync(path.join(state, name)).size);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(MAX_JOURNAL_BYTES);
});
