/** An update replaces gw's files while a request is under way: the outcome is recorded and shown as ever. */
import { cpSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { answer, type HostileServer, hostileServer } from '../helpers/hostile-server.ts';
import { PROGRAM } from '../helpers/program.ts';
import { run } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

/** A copy of the built program, whose files can go away. */
function installed() {
  const root = temporaryDirectory();
  cpSync('dist', path.join(root, 'dist'), {
    recursive: true,
    filter: (file) => !/\.map$/.test(file),
  });
  cpSync('bin', path.join(root, 'bin'), { recursive: true });
  cpSync('package.json', path.join(root, 'package.json'));
  symlinkSync(path.resolve('node_modules'), path.join(root, 'node_modules'));
  return root;
}

const PURCHASE = { amount: 2500, currency: 'AUD', successful: true, message: 'Approved' };
const SAID: Readonly<Record<string, object | undefined>> = {
  approved: { ...PURCHASE, id: '071-P-1', reference: 'INV-1' },
  declined: {
    ...PURCHASE,
    id: '071-P-1',
    reference: 'INV-1',
    successful: false,
    message: 'Declined',
  },
  refunded: {
    id: '071-R-1',
    amount: -2500,
    successful: true,
    message: 'Approved',
    refunded: 'Approved',
  },
  stopped: { id: '071-S-12AB34CD', reference: 'SUB-1', is_active: false },
  lost: undefined,
};

/** A gateway that answers look-ups, and waits with the answer to a change until `meanwhile` was done. */
function gatewayWith(said: string, meanwhile: () => void): Promise<HostileServer> {
  return hostileServer({
    onRequest(socket, { method }) {
      const isLookUp = method === 'GET';
      if (!isLookUp) meanwhile();
      const response = isLookUp ? SAID.approved : SAID[said];
      const body = JSON.stringify({ successful: true, response, errors: [], test: true });
      if (response === undefined) socket.destroy();
      else socket.end(answer(200, body, { connection: 'close' }));
    },
  });
}

const CREATE = 'purchase create --amount 2500 --currency AUD --reference INV-1 --card-token tok-1';
const REFUND = 'refund create 071-P-1 --amount 2500 --reference RET-1';
const STOP = 'subscription stop 071-S-12AB34CD';

const RUNS: readonly (readonly [line: string, said: string, code: number, shown: RegExp])[] = [
  [`${CREATE} -o table`, 'approved', 0, /071-P-1/],
  [`${CREATE} -o json`, 'approved', 0, /"id": "071-P-1"/],
  [`${CREATE} -o jsonl`, 'approved', 0, /"id":"071-P-1"/],
  [`${CREATE} -o yaml`, 'approved', 0, /id: "?071-P-1/],
  [`${CREATE} -o csv`, 'approved', 0, /071-P-1,/],
  [`${CREATE} -o tsv`, 'approved', 0, /071-P-1\t/],
  [`${CREATE} -o id`, 'approved', 0, /^071-P-1$/m],
  [`${CREATE} -o json --jq .id`, 'approved', 0, /071-P-1/],
  [`${CREATE} --debug`, 'approved', 0, /071-P-1/],
  [CREATE, 'declined', 5, /The card was declined/],
  [`${CREATE} --json`, 'declined', 5, /"card-declined"/],
  [CREATE, 'lost', 8, /Outcome unknown: .*journal resolve/s],
  [`${CREATE} --json`, 'lost', 8, /"outcome-unknown"/],
  [`${REFUND} -o table`, 'refunded', 0, /071-R-1/],
  [REFUND, 'lost', 8, /Outcome unknown/],
  [`${STOP} -o table`, 'stopped', 0, /SUB-1/],
  [STOP, 'lost', 8, /Outcome unknown/],
  ['purchase batch - -o csv', 'approved', 0, /1 done/],
  ['purchase batch - -o table', 'declined', 9, /1 declined/],
  ['purchase batch - --failed failed.csv', 'declined', 9, /1 row is in/],
  ['purchase batch -', 'lost', 9, /1 unknown/],
];

async function runReplaced(
  line: string,
  said: string,
  replace: (root: string) => void,
  more: NodeJS.ProcessEnv = {},
) {
  const root = installed();
  const home = temporaryDirectory();
  const server = await gatewayWith(said, () => replace(root));
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    GW_USERNAME: 'shop',
    GW_API_TOKEN: 'secret-token',
    GW_BASE_URL: server.url.href,
    GW_ENVIRONMENT: 'sandbox',
    OPEN_FILES: '500',
    ...more,
  };
  const gw = path.join(root, 'bin', 'gw.cjs');
  const input = 'amount,currency,reference,card_token\n2500,AUD,INV-1,tok-1\n';
  const limited = ['-c', 'ulimit -n "$OPEN_FILES"; exec "$0" "$@"', process.execPath];
  const words = [...limited, gw, ...line.split(' ')];
  const ended = await run('/bin/sh', words, { env, cwd: home, input });
  const journal = await run(process.execPath, [PROGRAM, 'journal', 'list', '-o', 'json'], { env });
  return { ...ended, journal: JSON.parse(journal.stdout || '[]') as { state: string }[], server };
}

const STATES: Readonly<Record<string, string>> = { declined: 'declined', lost: 'unknown' };
const away = (root: string) => renameSync(path.join(root, 'dist'), path.join(root, 'gone'));

test.each(RUNS)('gw %s, %s, ends as ever without its files', async (line, said, code, shown) => {
  const ended = await runReplaced(line, said, away);
  expect(ended.stderr).not.toContain('defect');
  expect(ended.stdout + ended.stderr).toMatch(shown);
  expect(ended.code, ended.stderr).toBe(code);
  const recorded = line.startsWith('subscription') ? [] : [{ state: STATES[said] ?? 'done' }];
  expect(ended.journal).toMatchObject(recorded);
});

test.each<[NodeJS.ProcessEnv]>([
  [{ NODE_OPTIONS: '--max-old-space-size=4096' }],
  [{ NODE_OPTIONS: '--enable-source-maps' }],
  [{ NODE_OPTIONS: '--use-openssl-ca --dns-result-order=ipv4first' }],
  [{ GW_FAST_PATH: 'off' }],
  [{ NODE_DISABLE_COMPILE_CACHE: '1' }],
  [{ OPEN_FILES: '80' }],
])('so does one with %j', async (env) => {
  const ended = await runReplaced(`${CREATE} -o yaml`, 'approved', away, env);
  expect(ended.stdout, ended.stderr).toMatch(/id: "?071-P-1/);
  expect(ended.code).toBe(0);
});

test('an update that puts other files in their places changes nothing either', async () => {
  const ended = await runReplaced(`${CREATE} -o yaml`, 'approved', (root) => {
    away(root);
    cpSync(path.join(root, 'gone'), path.join(root, 'dist'), {
      recursive: true,
      filter: (file) => !file.includes('chunks'),
    });
  });
  expect(ended.stdout).toMatch(/id: "?071-P-1/);
});

test('a command whose files are gone before anything left sends nothing', async () => {
  let root = '';
  const gone = () => away(root);
  const server = await hostileServer({
    onRequest(socket, { method }) {
      if (method === 'GET') gone();
      const body = JSON.stringify({ successful: true, response: SAID.approved, errors: [] });
      socket.end(answer(200, body, { connection: 'close' }));
    },
  });
  root = installed();
  const env = {
    PATH: process.env.PATH,
    HOME: temporaryDirectory(),
    GW_USERNAME: 'shop',
    GW_API_TOKEN: 'secret-token',
    GW_BASE_URL: server.url.href,
    GW_ENVIRONMENT: 'sandbox',
  };
  const gw = path.join(root, 'bin', 'gw.cjs');
  const { code, stderr } = await run(process.execPath, [gw, ...REFUND.split(' ')], { env });
  expect(stderr).toContain('gw was replaced on this machine');
  expect(code).toBe(10);
  expect(server.requests.map(({ method }) => method)).toEqual(['GET']);
});
