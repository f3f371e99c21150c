import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { temporaryDirectory } from '../../helpers/temporary.ts';
import { CARD, openBench } from './support.ts';
import { bundleWorker, type WorkerProgram, type Workers } from './support-processes.ts';

const PROCESSES = 6;
const REQUESTS = 40;

let program: WorkerProgram;
let workers: Workers;
let directory: string;

beforeAll(async () => {
  program = await bundleWorker();
});
afterAll(() => program.remove());
beforeEach(() => {
  directory = temporaryDirectory();
  workers = program.start(PROCESSES);
});
afterEach(async () => {
  await workers.stop();
});

const times = <T>(n: number, make: (index: number) => T) =>
  Array.from({ length: n }, (_, i) => make(i));

const planCalled = (reference: string) => ({
  method: 'POST',
  target: '/v1.0/plans',
  body: { name: 'Gold', reference, description: 'All of it', amount: 500 },
});

test('processes that create the same file at once all succeed and share it', async () => {
  for (const round of times(40, String)) {
    const path = join(directory, round, 'state.db');
    const answers = await workers.run(path, (n) => [planCalled(`plan-${n}`)]);
    expect(answers.flat().map(({ status }) => status)).toEqual(times(PROCESSES, () => 201));
    const bench = await openBench('in process', { path });
    const list = await bench.send('GET', '/v1.0/plans.json');
    expect(list.body.total_records).toBe(PROCESSES);
    await bench.close();
  }
});

test('several processes and a server give no id twice and lose no record', async () => {
  const path = join(directory, 'state.db');
  const bench = await openBench('HTTP', { path });
  const byProcesses = workers.run(path, (n) =>
    times(REQUESTS, (i) => planCalled(`process-${n}-${i}`)),
  );
  const byServer = [];
  for (const i of times(REQUESTS, Number)) {
    const { method, target, body } = planCalled(`server-${i}`);
    byServer.push(await bench.send(method, target, body));
  }
  const answers = [...(await byProcesses).flat(), ...byServer];

  const total = (PROCESSES + 1) * REQUESTS;
  expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
  expect(new Set(answers.map(({ body }) => body.response?.id)).size).toBe(total);
  const list = await bench.send('GET', '/v1.0/plans.json');
  expect(list.body.total_records).toBe(total);
  await bench.close();
});

test('processes that race for references get each once', async () => {
  const path = join(directory, 'state.db');
  const answers = await workers.run(path, () =>
    times(REQUESTS, (i) => planCalled(`contended-${i}`)),
  );
  const created = answers.flat().filter(({ status }) => status === 201);
  const refused = answers.flat().filter(({ status }) => status === 400);
  expect(created.map(({ body }) => body.response?.reference).sort()).toEqual(
    times(REQUESTS, (i) => `contended-${i}`).sort(),
  );
  expect(refused).toHaveLength((PROCESSES - 1) * REQUESTS);
  expect(new Set(refused.flatMap(({ body }) => body.errors))).toEqual(
    new Set(['Reference has already been taken']),
  );
});

test('processes that refund the same purchase never refund more than it', async () => {
  const path = join(directory, 'state.db');
  const bench = await openBench('in process', { path });
  const purchase = await bench.send('POST', '/v1.0/purchases', { ...CARD, amount: 1000 });
  const refund = {
    method: 'POST',
    target: '/v1.0/refunds',
    body: { transaction_id: purchase.body.response.id, amount: 7, reference: 'r' },
  };
  const answers = await workers.run(path, () => times(REQUESTS, () => refund));
  const approved = answers.flat().filter(({ status }) => status === 200);
  expect(approved).toHaveLength(Math.floor(1000 / 7));
  expect(answers.flat().every(({ status }) => status === 200 || status === 400)).toBe(true);
  await bench.close();
});
