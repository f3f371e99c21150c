/**
 * Compares what each command loads with budget.json: a budget that needs no clock.
 *
 *     UPDATE=1 npx vitest run test/packaging/budget.test.ts    writes what is loaded
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { answer, hostileServer } from '../helpers/hostile-server.ts';
import { PROGRAM } from '../helpers/program.ts';
import { run } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const TRACE = path.resolve('test/helpers/load-trace.cjs');
const BUDGET = path.resolve('test/packaging/budget.json');
const DIST = path.resolve('dist') + path.sep;
/** A command may load this much more than was written down. */
const ROOM = 1.05;

/** KB of dist, number of its files, and parts of Node. */
interface Load {
  kb: number;
  files: number;
  node: number;
}

const CARD = '--test-card approved --amount 2500 --allow-duplicate';
const COMMANDS: readonly string[] = [
  '--version',
  '--help',
  'purchase create --help',
  'purchase get --nonsense',
  'purchase crate',
  'purchase get 071-P-1',
  'purchase get 071-P-1 071-P-2',
  'plan list',
  `purchase create --profile local ${CARD}`,
  'purchase get 071-P-NONE --profile local',
  'profile list',
  'journal list',
  'events list',
  'find byron',
  'emulator status',
  'whoami --profile local',
  'completion bash',
];

const isUpdate = process.env.UPDATE === '1';
const budget: Record<string, Load> = existsSync(BUDGET)
  ? JSON.parse(readFileSync(BUDGET, 'utf8'))
  : {};
const measured: Record<string, Load> = {};
afterAll(() => {
  if (isUpdate) writeFileSync(BUDGET, `${JSON.stringify(measured, null, 2)}\n`);
});

test.each(COMMANDS)('gw %s loads no more than its budget', async (command) => {
  const { hasFormats, ...load } = await loadOf(command);
  // The first format of a date takes a fifth of a short command's time. A word that is not known may be a day.
  expect(hasFormats).toBe(['purchase crate', 'find byron'].includes(command));
  measured[command] = load;
  if (isUpdate) return;
  const allowed = budget[command] ?? { kb: 0, files: 0, node: 0 };
  const over = Object.entries(load).filter(
    ([what, amount]) => amount > Math.ceil(allowed[what as keyof Load] * ROOM),
  );
  expect(over).toEqual([]);
});

test('what never changes is exported by its value, since a function for each takes a twentieth of a start', () => {
  const folder = path.join(DIST, 'chunks');
  const core = readdirSync(folder).filter((name) => /^core-[^.]*\.cjs$/.test(name));
  expect(core).toHaveLength(1);
  expect(readFileSync(path.join(folder, String(core[0])), 'utf8')).not.toContain(
    'Object.defineProperty(exports, "',
  );
});

async function loadOf(command: string): Promise<Load & { hasFormats: boolean }> {
  const record = { id: '071-P-1', amount: 2500, successful: true };
  const envelope = JSON.stringify({ successful: true, response: record, errors: [] });
  const server = await hostileServer({
    onRequest: (socket) => void socket.write(answer(200, envelope)),
  });
  const root = temporaryDirectory();
  const trace = path.join(root, 'loads');
  const home = path.join(root, 'home');
  mkdirSync(home);
  await run(process.execPath, [PROGRAM, ...command.split(' ')], {
    env: {
      PATH: process.env.PATH,
      HOME: home,
      NODE_OPTIONS: `--enable-source-maps --require=${TRACE}`,
      GW_TEST_LOADS: trace,
      ...(command.includes('--profile') ? {} : accountAt(server.url)),
    },
  });
  const loaded = readFileSync(trace, 'utf8').trimEnd().split('\n');
  const files = loaded.filter((name) => name.startsWith(DIST));
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  return {
    kb: Math.ceil(bytes / 1000),
    files: files.length,
    node: loaded.filter((name) => name.startsWith('node:')).length,
    hasFormats: loaded.includes('Intl'),
  };
}

function accountAt(url: URL) {
  return {
    GW_USERNAME: 'shop',
    GW_API_TOKEN: 'secret-token',
    GW_BASE_URL: url.href,
    GW_ENVIRONMENT: 'sandbox',
  };
}
