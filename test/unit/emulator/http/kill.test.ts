/**
 * SIGKILL while purchases come over many connections and share transactions: what was answered is
 * there. The moments are drawn from a seed. `GW_KILLS=100` kills more often.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { openState } from '../../../../src/emulator/state.ts';
import { createClock } from '../../../../src/host/create.ts';
import { basicAuthorization } from '../../../../src/host/http/basic-auth.ts';
import { allRows, onlyRow } from '../../../../src/store/sql.ts';
import { bundle } from '../../../helpers/bundle.ts';
import { randomFrom } from '../../../helpers/random.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';
import { CARD } from '../support.ts';

const KILLS = Number(process.env.GW_KILLS ?? 6);
const CONNECTIONS = 16;
const MOST_ANSWERS = 300;

/** Buys over one connection until it breaks. */
async function buy(url: string, onAnswer: (id: string) => void): Promise<void> {
  for (;;) {
    try {
      const answer = await fetch(`${url}/v1.0/purchases`, {
        method: 'POST',
        headers: { authorization: basicAuthorization('TEST', 'TEST') },
        body: JSON.stringify({ ...CARD, amount: 100 }),
      });
      const { response } = (await answer.json()) as { response: { id: string } };
      onAnswer(response.id);
    } catch {
      return;
    }
  }
}

async function startServer(program: string, path: string) {
  const child: ChildProcess = spawn(process.execPath, [program, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = await once(createInterface(child.stdout!), 'line');
  return { child, url: String(url) };
}

test(`${KILLS} kills lose no purchase that was answered`, { timeout: 300_000 }, async () => {
  const program = await bundle('test/unit/emulator/http/serve-program.ts');
  const path = join(temporaryDirectory(), 'killed.db');
  const random = randomFrom(20260310);
  const answered: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const { child, url } = await startServer(program, path);
    const ended = once(child, 'close');
    let left = 1 + Math.floor(random() * MOST_ANSWERS);
    const onAnswer = (id: string) => {
      answered.push(id);
      if (--left === 0) child.kill('SIGKILL');
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, () => buy(url, onAnswer)));
    expect(await ended).toEqual([null, 'SIGKILL']);
  }

  const store = openState({ path, clock: createClock() });
  const kept = store.read((tx) => tx.do(allRows<{ id: string }>('SELECT id FROM purchases')));
  const cards = store.read((tx) =>
    tx.do(onlyRow<{ n: number }>('SELECT count(*) AS n FROM cards')),
  );
  store.close();
  const ids = new Set(kept.map(({ id }) => id));
  expect(new Set(answered).size).toBe(answered.length);
  expect(answered.filter((id) => !ids.has(id))).toEqual([]);
  // A purchase is there with its card, or neither is.
  expect(cards.n).toBe(kept.length);
});
