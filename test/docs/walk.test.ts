/** The tables in ARCHITECTURE.md name files that really run: for a command in the order in which they are entered. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tracedProgram } from '../helpers/files-that-run.ts';
import { chargeText, post } from '../helpers/listener.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const ARCHITECTURE = readFileSync('ARCHITECTURE.md', 'utf8');
const [, WALK = ''] = /^## The life of a money request\n(.*?)^## /ms.exec(ARCHITECTURE) ?? [];
const [DELIVERY = ''] = /^\*\*One delivery received\*\*.*?^## /ms.exec(ARCHITECTURE) ?? [];
const COMMAND = /^`gw (.*)`$/m.exec(WALK)?.[1] ?? '';
const PURCHASE =
  'purchase create --profile local --test-card approved --amount 2500 --reference INV-1';

/** Folders that belong to no flow, and the test gateway. */
const LAYER =
  /^src\/(?:base|contract|emulator|host|store|things|view)\/|^src\/failure(?:-codes)?\.ts$/;
/** Files that run code of their own for the command: those of the flow, and with all layers. Fewer are better. */
const MOST_OF_FLOW = 49;
const MOST_OF_ALL = 117;
/** How often the next file of the flow is in another folder of `src`. */
const MOST_CHANGES = 24;

/** @returns the file of each row of a table whose rows are numbered */
const stepsOf = (text: string) =>
  [...text.matchAll(/^\| \d+ \| `(src\/[^`]*\.ts)` \|/gm)].map(([, file]) => file);

test('a refund runs every file of the table, in the order of the table', async () => {
  const home = path.join(temporaryDirectory(), 'home');
  const gw = tracedProgram();
  await gw(PURCHASE.split(' '), home);
  const ran = await gw(COMMAND.split(' '), home);
  const steps = stepsOf(WALK);
  expect(steps.length).toBeGreaterThan(15);
  expect(steps).toEqual(ran.filter((file) => steps.includes(file)));
  const ofFlow = ran.filter((file) => !LAYER.test(file));
  expect(ofFlow.length).toBeLessThanOrEqual(MOST_OF_FLOW);
  expect(ran.length).toBeLessThanOrEqual(MOST_OF_ALL);
  const folders = ofFlow.map((file) => file.split('/')[1]);
  const changes = folders.filter((folder, i) => i > 0 && folder !== folders[i - 1]);
  expect(changes.length).toBeLessThanOrEqual(MOST_CHANGES);
});

test('a delivery runs the nine files of its table, from the socket to its line', async () => {
  const home = path.join(temporaryDirectory(), 'home');
  const port = await freePort();
  const ended = tracedProgram()(['listen', '--port', String(port), '--count', '1'], home);
  await expect
    .poll(() => post(new URL(`http://127.0.0.1:${port}`), chargeText('P-1')).catch(() => undefined))
    .toMatchObject({ status: 200 });
  const ran = await ended;
  const steps = stepsOf(DELIVERY);
  expect(steps).toHaveLength(9);
  expect(steps.filter((file) => !ran.includes(file ?? ''))).toEqual([]);
});

/** @returns one that nothing listens on */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
