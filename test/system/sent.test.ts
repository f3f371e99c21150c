/**
 * `sent` in the JSON of an error: false wherever no byte was given to a sender, whoever refused and why. Once one was,
 * it is null.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { answer, CLOSED_ADDRESS, hostileServer } from '../helpers/hostile-server.ts';
import { PROGRAM } from '../helpers/program.ts';
import { run } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

type Env = Readonly<Record<string, string>>;

async function errorOf(line: string, env: Env, home = temporaryDirectory()) {
  const argv = [PROGRAM, ...line.split(' '), '--json'];
  const all = { PATH: process.env.PATH, HOME: home, ...env };
  const { stderr } = await run(process.execPath, argv, { env: all });
  const last = stderr.trimEnd().split('\n').at(-1) ?? '';
  return JSON.parse(last).error as { code: string; sent: false | null; exit_code: number };
}

/** A gateway that answers everything alike. */
function gatewayAnswering(status: number, body: object) {
  return hostileServer({
    onRequest: (socket) =>
      void socket.end(answer(status, JSON.stringify(body), { connection: 'close' })),
  });
}

const account = (url: URL, environment = 'sandbox'): Env => ({
  GW_USERNAME: 'shop',
  GW_API_TOKEN: 'secret-token',
  GW_BASE_URL: url.href,
  GW_ENVIRONMENT: environment,
});

const CREATE = 'purchase create --amount 2500 --reference INV-1 --card-token x07h9hcnsxsz';
const REFUND = 'refund create 071-P-1 --amount 100 --reference RET-1';

/** The folders of a home in which the profile shop has those settings. */
function homeWith(settings: object, at: URL): string {
  const home = temporaryDirectory();
  const folder = path.join(home, '.config', 'gw');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(path.join(home, '.config'), 0o700);
  const shop = { environment: 'sandbox', baseUrl: at.href, ...settings };
  writeFileSync(path.join(folder, 'profiles.json'), JSON.stringify({ profiles: { shop } }), {
    mode: 0o600,
  });
  return home;
}

const REFUSALS: readonly (readonly [code: string, line: string, how?: object])[] = [
  ['command-unknown', 'purchase crate'],
  ['flag-unknown', `${CREATE} --nonsense`],
  ['flag-invalid', 'purchase create --output nonsense'],
  ['flag-missing', 'subscription move SUB-1 --no-input'],
  ['no-profile-set-up', CREATE, { env: {} }],
  ['profile-unknown', `${CREATE} -p nope`],
  ['field-unknown', `${CREATE} --fields nonsense`],
  ['amount-is-decimal', CREATE.replace('2500', '25.1234')],
  ['duration-invalid', `${CREATE} --timeout 0`],
  ['file-not-found', 'purchase create --input /nonexistent.json'],
  ['input-empty', 'purchase create --input -'],
  ['nobody-to-confirm', CREATE, { environment: 'live' }],
  ['amount-above-limit', CREATE, { settings: { maxAmount: 100 } }],
  ['profile-read-only', CREATE, { settings: { readOnly: true } }],
  ['command-not-allowed', CREATE, { settings: { allowedCommands: ['plan list'] } }],
  ['credential-command-failed', CREATE, { settings: { credentialCommand: 'exit 1' } }],
  ['ledger-address-invalid', CREATE, { env: { GW_LEDGER_URL: 'nonsense' } }],
  ['not-reached', CREATE, { isClosed: true }],
  ['file-damaged', CREATE, { ledger: 'no database' }],
  ['file-not-found', 'purchase batch /nonexistent.csv'],
  ['id-missing', 'refund create - --amount 1 --reference R'],
  ['entry-not-found', 'journal show nope'],
];

const NAMED = REFUSALS.map(([code, line, how = {}]) => ({ code, line, how }));

test.each(NAMED)('sent is false for $code: gw $line', async ({ code, line, how }) => {
  const setting = how as {
    env?: Env;
    environment?: string;
    settings?: object;
    isClosed?: boolean;
    ledger?: string;
  };
  const server = await gatewayAnswering(200, { successful: true, response: {}, errors: [] });
  const at = setting.isClosed ? CLOSED_ADDRESS : server.url;
  const home = setting.settings ? homeWith(setting.settings, at) : temporaryDirectory();
  if (setting.ledger !== undefined) {
    const folder = path.join(home, '.local', 'state', 'gw');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path.join(folder, 'ledger.db'), setting.ledger.repeat(2000), { mode: 0o600 });
  }
  const credentials = { GW_USERNAME: 'shop', GW_API_TOKEN: 'secret-token' };
  const env = setting.settings
    ? { GW_PROFILE: 'shop', ...('credentialCommand' in setting.settings ? {} : credentials) }
    : account(at, setting.environment);
  const only =
    setting.env && Object.keys(setting.env).length === 0 ? {} : { ...env, ...setting.env };
  const error = await errorOf(line, only, home);
  expect(error, JSON.stringify(error)).toMatchObject({ code, sent: false });
  expect(server.received).toBe('');
});

const ANSWERS: readonly (readonly [status: number, said: object, line: string])[] = [
  [404, { successful: false, response: {}, errors: ['Record not found'] }, 'purchase get 071-P-1'],
  [400, { successful: false, response: {}, errors: ["Reference can't be blank"] }, CREATE],
  [500, { successful: true, response: {}, errors: [] }, CREATE],
  [401, { successful: false, response: {}, errors: ['No'] }, 'plan list'],
  [400, { successful: false, response: {}, errors: ['No'] }, 'subscription stop 071-S-12AB34CD'],
];

test.each(ANSWERS)('sent is null after an answer %i (%j) to gw %s', async (status, said, line) => {
  const server = await gatewayAnswering(status, said);
  const error = await errorOf(line, account(server.url));
  expect(error, JSON.stringify(error)).toMatchObject({ sent: null });
  expect(server.requests.length).toBeGreaterThan(0);
});

test('a refusal after a look-up says that the request was not sent', async () => {
  const purchase = { id: '071-P-1', amount: 50, currency: 'AUD', successful: true };
  const server = await gatewayAnswering(200, { successful: true, response: purchase, errors: [] });
  expect(await errorOf(REFUND, account(server.url))).toMatchObject({
    code: 'refund-too-large',
    sent: false,
  });
});

test('an event that was sent to a receiver was sent', async () => {
  const server = await gatewayAnswering(500, {});
  const line = `trigger charge:successful --to ${server.url.href}`;
  expect(await errorOf(line, {})).toMatchObject({ code: 'delivery-not-taken', sent: null });
  expect(await errorOf(line.replace(server.url.href, CLOSED_ADDRESS.href), {})).toMatchObject({
    code: 'receiver-not-reached',
    sent: false,
  });
});

/** A gateway, or a receiver, that takes a request and hangs up. */
const hangingUp = () => hostileServer({ onRequest: (socket) => void socket.destroy() });

test.each([
  ['a request', 'outcome-unknown', 'not-reached', CREATE],
  ['a look-up', 'no-trustworthy-answer', 'not-reached', 'purchase get 071-P-1 --timeout 5'],
  ['a batch', 'batch-incomplete', 'batch-incomplete', 'purchase batch CSV --no-input'],
  [
    'gw trigger',
    'receiver-not-reached',
    'receiver-not-reached',
    'trigger charge:successful --to AT',
  ],
])('%s: false before the first byte, null after it', async (_what, lost, closed, line) => {
  const csv = path.join(temporaryDirectory(), 'charges.csv');
  writeFileSync(csv, 'amount,currency,reference,card_token\n2500,AUD,INV-1,x07h9hcnsxsz\n');
  const server = await hangingUp();
  for (const [at, code, sent] of [
    [CLOSED_ADDRESS, closed, false],
    [server.url, lost, null],
  ] as const) {
    // The folder's name is drawn, and may have any letters.
    const typed = line.replace('AT', at.href).replace('CSV', csv);
    const error = await errorOf(typed, account(at));
    expect(error, JSON.stringify(error)).toMatchObject({ code, sent });
  }
});

test('gw api says that nothing was sent until a byte was', async () => {
  const server = await hangingUp();
  const saidOf = async (at: URL) => {
    const env = { PATH: process.env.PATH, HOME: temporaryDirectory(), ...account(at) };
    const { stderr } = await run(process.execPath, [PROGRAM, 'api', 'POST', '/odd'], { env });
    return stderr;
  };
  expect(await saidOf(CLOSED_ADDRESS)).toMatch(/^Nothing was sent\. /m);
  expect(await saidOf(server.url)).toMatch(/^Error: Outcome unknown: (?!.*Nothing was sent)/s);
});
