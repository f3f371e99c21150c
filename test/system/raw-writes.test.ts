/**
 * Requests by path that change something: what has a command is sent by that command alone, which `gw api` names;
 * anything else is recorded by all of its bytes, and confirmed on a live profile.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { entriesOf, gw, type Place, placeFor } from '../helpers/batch.ts';
import { answer, hostileServer } from '../helpers/hostile-server.ts';
import { PROGRAM } from '../helpers/program.ts';
import { start } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const WRITES: readonly Operation[] = (OPERATIONS as readonly Operation[]).filter(
  ({ effect }) => effect !== 'read',
);

const CARD = {
  card_number: '5123456789012346',
  card_holder: 'Ada Byron',
  card_expiry: '05/2099',
  cvv: '739',
};
const CUSTOMER = {
  ...{ first_name: 'Ada', last_name: 'Byron', email: 'ada@example.com', reference: 'CUST-1' },
  card: { card_number: CARD.card_number, expiry_date: '05/2099', cvv: '739' },
};
const PLAN = { name: 'Gold', reference: 'GOLD', description: 'Every week', amount: 1500 };

/** Fields that no command has a flag for. */
const UNKNOWN: JsonObject = {
  ...{ channel: 'web', note: 'x y', flags: [1, null, { deep: null }], empty: {} },
  ...{ nothing: null, 'spa ced': { nothing: null, name: 'Größe' } },
};

/** A body of each, and the record that its path names. */
const GIVEN: Readonly<Record<string, { id?: string; body?: JsonObject }>> = {
  tokenize: { body: CARD },
  'purchase create': { body: { ...CARD, amount: 2500, reference: 'INV-1' } },
  'refund create': { body: { transaction_id: '071-P-1', amount: 500, reference: 'RET-1' } },
  'plan create': { body: PLAN },
  'plan update': { id: '071-PL-1', body: { name: 'Gold 2' } },
  'customer create': { body: CUSTOMER },
  'customer update': { id: '071-C-1', body: { first_name: 'Augusta' } },
  'customer delete': { id: '071-C-1' },
  'subscription create': {
    body: { customer: '071-C-1', plan: 'GOLD', frequency: 'Weekly', reference: 'SUB-1' },
  },
  'subscription update': { id: '071-S-1', body: { is_active: false } },
};

/** A gateway that says yes to every request. */
async function openShop() {
  const server = await hostileServer({
    onRequest: (socket, { body }) => {
      const given = body === '' ? {} : (JSON.parse(body) as JsonObject);
      const { amount, reference } = given as Record<string, Json>;
      const record = { id: null, successful: true, message: 'Approved', amount, reference };
      socket.write(answer(200, JSON.stringify({ successful: true, response: record, errors: [] })));
    },
  });
  const place = placeFor(temporaryDirectory(), server.url.href);
  return { place, server };
}

/** Runs a line in a shell, as somebody who copies it. */
function shell({ home, env }: Place, line: string) {
  const own = `gw() { '${process.execPath}' '${PROGRAM}' "$@"; }; ${line}`;
  return start('sh', ['-c', own], { cwd: home, env, input: '' }).ended;
}

const pathOf = ({ path: template }: Operation, id = '') => template.replace(/\{\w+\}/, id);

/** @returns the command that an error names */
function named(stderr: string): string {
  return /Run `([^`]+)`/.exec(stderr)?.[1] ?? stderr;
}

test('each operation that changes something has a test body', () => {
  expect(Object.keys(GIVEN).sort()).toEqual(WRITES.map(({ name }) => name).sort());
});

describe.each(WRITES.map((row) => [row.name, row] as const))('gw api with %s', (name, row) => {
  const { id, body } = GIVEN[name] ?? {};

  test('is refused, and the named command sends the same, even unknown fields', async () => {
    const { place, server } = await openShop();
    const file = path.join(place.home, 'the body.json');
    const whole = body && { ...body, ...UNKNOWN };
    if (whole) writeFileSync(file, JSON.stringify(whole));
    const input = body ? ['--input', file] : [];
    const refused = await gw(place, ['api', row.method, pathOf(row, id), ...input]);
    expect(refused.stderr).toContain(`\`gw ${name}\``);
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' });
    expect(server.connections).toBe(0);

    const done = await shell(place, named(refused.stderr));
    const [sent, ...others] = server.requests.filter(({ method }) => method === row.method);
    expect(others, done.stderr).toEqual([]);
    expect(sent?.target.replace(/\.json$/, '')).toBe(pathOf(row, id).replace(/\.json$/, ''));
    expect(sent?.body === '' ? undefined : JSON.parse(sent?.body ?? '')).toEqual(whole);
  });

  test('is refused with the profile local, and the named command sends the same', async () => {
    const home = temporaryDirectory();
    const place: Place = { home, env: { PATH: process.env.PATH ?? '', HOME: home } };
    const file = path.join(home, 'body.json');
    const whole = body && { ...body, ...UNKNOWN };
    if (whole) writeFileSync(file, JSON.stringify(whole));
    if (body?.plan !== undefined) {
      const plan = Object.entries(PLAN).map(([field, value]) => `--${field}=${value}`);
      expect(await gw(place, ['plan', 'create', '-p', 'local', ...plan])).toMatchObject({
        code: 0,
      });
    }
    const input = body ? ['--input', file] : [];
    const asked = ['api', row.method, pathOf(row, id), ...input, '-p', 'local', '--dry-run'];
    const refused = await gw(place, asked);
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' });
    const line = named(refused.stderr);
    expect(line).toContain('-p local');

    const { stdout, stderr } = await shell(place, line);
    const shown = JSON.parse(stdout || stderr);
    expect(shown.body).toEqual(whole && expect.objectContaining(UNKNOWN));
    // It arrives there, too: what the gateway says to it is its own affair.
    const sent = await shell(place, `${line.replace(' --dry-run', '')} --debug`);
    const bodies = [...sent.stderr.matchAll(/^> (\{.*\})$/gm)].map(([, text = '']) =>
      JSON.parse(text),
    );
    expect(bodies.at(-1), sent.stderr).toEqual(whole && expect.objectContaining(UNKNOWN));
  });
});

describe('another write', () => {
  const capture = '/v1.0/purchases/071-P-1/capture?part=1';
  const asked = (...fields: string[]) => [
    ...['api', 'POST', capture],
    ...fields.flatMap((field) => ['--field', field]),
  ];

  test('is recorded by its whole body, and its repetition is a duplicate', async () => {
    const { place, server } = await openShop();
    const first = asked('amount=100', 'card_number=5123456789012346');
    expect(await gw(place, first)).toMatchObject({ code: 0 });
    const again = await gw(place, first);
    expect(again.stderr).toContain('You already made this request');
    expect(again.code).toBe(10);
    const others = [
      asked('amount=101', 'card_number=5123456789012346'),
      asked('amount=100'),
      ['api', 'PUT', ...first.slice(2)],
      ['api', 'POST', `${capture}&part=2`, ...first.slice(3)],
      [...first, '--allow-duplicate'],
    ];
    for (const args of others) expect(await gw(place, args)).toMatchObject({ code: 0 });
    expect(server.requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
      ...[`POST ${capture}`, `POST ${capture}`, `POST ${capture}`],
      ...[`PUT ${capture}`, `POST ${capture}&part=2`, `POST ${capture}`],
    ]);
    const entries = await entriesOf(place);
    expect(entries).toHaveLength(6);
    expect(entries.at(-1)).toMatchObject({
      ...{ operation: `api POST ${capture}`, state: 'done', amount: 100 },
    });
    expect(JSON.stringify(entries)).not.toContain('5123456789012346');
  });

  test('with a lost answer is unknown, is not repeated, and is resolved by a person', async () => {
    let isLosing = true;
    const server = await hostileServer({
      onRequest: (socket) =>
        isLosing ? socket.destroy() : socket.write(answer(200, '{"successful":true}')),
    });
    const place = placeFor(temporaryDirectory(), server.url.href);
    const lost = await gw(place, asked('to=ada'));
    expect(lost.code).toBe(8);
    isLosing = false;
    expect(await gw(place, asked('to=ada'))).toMatchObject({ code: 10 });
    expect(server.requests).toHaveLength(1);

    const [entry] = await entriesOf(place);
    expect(entry?.state).toBe('unknown');
    const silent = await gw(place, ['journal', 'resolve', entry?.id ?? '']);
    expect(silent.stderr).toContain('The gateway cannot look up the result of api POST');
    expect(silent.code).toBe(8);
    const said = await gw(place, ['journal', 'resolve', entry?.id ?? '', '--as', 'not-done']);
    expect(said.code).toBe(0);
    expect(await gw(place, asked('to=ada'))).toMatchObject({ code: 0 });
    expect(server.requests).toHaveLength(2);
  });

  test.each(['live', 'sandbox', 'local'])('of a profile that is %s', async (environment) => {
    const { place, server } = await openShop();
    const home = { ...place, env: { PATH: place.env.PATH ?? '', HOME: place.home } };
    const printed = JSON.stringify({ username: 'TEST', token: 'TEST' });
    if (environment !== 'local')
      await gw(home, [
        ...['profile', 'set', environment, '--environment', environment],
        ...['--base-url', server.url.href, '--credential-command', `echo '${printed}'`],
      ]);
    const write = [...asked('to=ada'), '-p', environment];
    const { code, stderr } = await gw(home, write);
    // The test gateway has no such path.
    expect(code, stderr).toBe({ live: 10, sandbox: 0, local: 4 }[environment]);
    if (environment !== 'live') return;
    expect(stderr).toContain('cannot ask you here to confirm api POST /v1.0/purchases');
    expect(server.connections).toBe(0);
    expect(await gw(home, [...write, '--confirm', 'live'])).toMatchObject({ code: 0 });
    expect(server.requests).toHaveLength(1);
  });
});
