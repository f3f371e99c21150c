/**
 * SIGKILL during a stream of deliveries: none may be lost, none invented, and what arrives twice was
 * cut off the first time. The moments are drawn from a seed: a certain delivery, before or after it
 * is answered, or a day just billed. `GW_KILLS=100` kills as often as the issue asks for.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { registerHook } from '../../../src/emulator/deliveries/hooks.ts';
import { listDeliveries } from '../../../src/emulator/deliveries/queue.ts';
import { openState } from '../../../src/emulator/state.ts';
import { createClock } from '../../../src/host/create.ts';
import { bundle } from '../../helpers/bundle.ts';
import { randomFrom } from '../../helpers/random.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';
import { advanceTo, openReceiver, type Receiver, seedOf } from './support-billing.ts';

const KILLS = Number(process.env.GW_KILLS ?? 12);
const CUSTOMERS = 5;
const END = '2026-07-20T00:00:00Z';
/** 200 days, charge:pending and charge:successful. */
const DELIVERIES = CUSTOMERS * 200 * 2;

const clock = createClock();
const seed = seedOf(
  Object.fromEntries(Array.from({ length: CUSTOMERS }, (_, index) => [`customer-${index}`, {}])),
);

let program: string;
beforeAll(async () => {
  program = await bundle('test/unit/emulator/advance-program.ts');
});

const logOf = (path: string) => {
  const store = openState({ path, clock });
  const log = store.read((tx) => listDeliveries(tx, { limit: 100_000 })).reverse();
  store.close();
  return log;
};

function newStore(path: string, receiver: Receiver) {
  const store = openState({ path, clock, seed });
  registerHook(store, { merchant: 'TEST', url: receiver.url });
  return store;
}

test(`${KILLS} kills during ${DELIVERIES} deliveries lose none of them`, {
  timeout: 600_000,
}, async () => {
  const directory = temporaryDirectory();
  const path = join(directory, 'killed.db');
  const random = randomFrom(20260101);
  const receiver = await openReceiver();
  newStore(path, receiver).close();

  /** For each receipt: which process sent it, and whether it was answered. */
  const receipts: { id: string; body: string; customer: string; run: number; answered: boolean }[] =
    [];
  let run = 0;
  let child: ChildProcess | undefined;
  let killAt = Number.POSITIVE_INFINITY;
  let isBeforeAnswer = false;
  let isKilled = false;
  const kill = () => {
    isKilled = true;
    child?.kill('SIGKILL');
  };
  receiver.answer = ({ id, body, customer }, response) => {
    const isLast = --killAt === 0;
    const receipt = { id, body, customer, run, answered: false };
    receipts.push(receipt);
    if (isLast && isBeforeAnswer) kill();
    if (isKilled && isBeforeAnswer) return;
    response.writeHead(200).end(() => {
      receipt.answered = true;
      if (isLast) kill();
    });
  };

  // A process gets a little further than the moment of its kill.
  const perRun = Math.floor((DELIVERIES * 0.6) / KILLS);
  let kills = 0;
  while (kills < KILLS) {
    run++;
    isKilled = false;
    const way = Math.floor(random() * 3);
    isBeforeAnswer = way === 0;
    killAt = way === 2 ? Number.POSITIVE_INFINITY : 1 + Math.floor(random() * 2 * perRun);
    let days = 1 + Math.floor((random() * perRun) / CUSTOMERS / 2);
    child = spawn(process.execPath, [program, path, END], { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout?.on('data', (lines: Buffer) => {
      days -= String(lines).split('\n').length - 1;
      if (way === 2 && days <= 0) kill();
    });
    const [code, signal] = await once(child, 'close');
    expect(signal ?? code).toBe('SIGKILL');
    // Deliveries of the killed process must not count for the next one.
    await receiver.quiet();
    kills++;
  }
  run++;
  killAt = Number.POSITIVE_INFINITY;
  isBeforeAnswer = false;
  isKilled = false;
  child = spawn(process.execPath, [program, path, END], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [code] = await once(child, 'close');
  expect(code).toBe(0);

  // None lost: the log is whole, and the receiver has answered each of its deliveries.
  const log = logOf(path);
  expect(log).toHaveLength(DELIVERIES);
  expect(log.filter(({ state }) => state !== 'delivered')).toEqual([]);
  const answered = new Set(receipts.filter((receipt) => receipt.answered).map(({ id }) => id));
  expect(answered.size).toBe(DELIVERIES);

  // None invented: what arrived is in the log, byte for byte.
  const bodies = new Map(log.map(({ id, body }) => [String(id), body]));
  for (const { id, body } of receipts) expect(bodies.get(id)).toBe(body);

  // Twice only when the process that sent it first was killed; in order for each customer.
  const keys = receipts.map((receipt) => `${receipt.run} ${receipt.id}`);
  expect(new Set(keys).size).toBe(keys.length);
  const firsts = receipts.filter(
    ({ id }, index) => receipts.findIndex((receipt) => receipt.id === id) === index,
  );
  for (const customer of new Set(receipts.map((receipt) => receipt.customer))) {
    const ids = firsts.filter((first) => first.customer === customer).map(({ id }) => Number(id));
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  }
  process.stderr.write(
    `${kills} kills, ${DELIVERIES} deliveries, ${receipts.length - DELIVERIES} of them repeated\n`,
  );

  // And the same as without a kill.
  const calm = await openReceiver();
  const calmPath = join(directory, 'calm.db');
  const store = newStore(calmPath, calm);
  await advanceTo({ store, clock }, END);
  store.close();
  const story = (deliveries: typeof log) =>
    deliveries.map(({ id, event, created_at, body }) => ({ id, event, created_at, body }));
  expect(story(log)).toEqual(story(logOf(calmPath)));
});
