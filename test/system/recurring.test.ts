/**
 * A command that starts repeated charges counts as money: a live profile confirms it, and what
 * its plan charges is compared with the limit. Commands that stop charges, or start none, do not count.
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { gw, type Place, placeFor } from '../helpers/batch.ts';
import { startFaultGateway } from '../helpers/fault-gateway.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

let place: Place;
/** The address of the gateway. */
let url: string;
let customer: string;
/** One that is stopped, and one that is billed. */
let stopped: string;

/** Runs gw with a profile of live money. */
const live = (args: readonly string[], limit = '100000') =>
  gw({ ...place, env: { ...place.env, GW_PROFILE: limit } }, args);

/** A gateway with a plan of 15.00, and two live profiles of it: their names are their limits. */
async function openShop(): Promise<void> {
  const gateway = await startFaultGateway({ seed: 1, perMille: {} });
  onTestFinished(() => gateway.close());
  url = gateway.url;
  place = placeFor(temporaryDirectory(), url);
  const made = async (...args: string[]) => {
    const { code, stdout, stderr } = await gw(place, [...args, '-o', 'id']);
    expect(code, stderr).toBe(0);
    return stdout.trim();
  };
  const plan = ['--description', 'x', '--amount', '1500'];
  await made('plan', 'create', '--name', 'Gold', '--reference', 'GOLD', ...plan);
  const person = ['--first-name', 'Ada', '--last-name', 'Byron', '--email', 'a@example.com'];
  const card = ['--reference', 'ADA', '--test-card', 'approved'];
  customer = await made('customer', 'create', ...person, ...card);
  const to = ['--customer', customer, '--plan', 'GOLD', '--frequency', 'Weekly'];
  stopped = await made('subscription', 'create', ...to, '--reference', 'OLD', '--no-is-active');
  await made('subscription', 'create', ...to, '--reference', 'CURRENT');
  for (const limit of ['100000', '1499']) {
    const set = ['profile', 'set', limit, '--environment', 'live', '--base-url', gateway.url];
    const printed = JSON.stringify({ username: 'TEST', token: 'TEST' });
    const { code, stderr } = await gw(place, [
      ...[...set, '--max-amount', limit, '--confirm', limit],
      ...['--credential-command', `echo '${printed}'`],
    ]);
    expect(code, stderr).toBe(0);
  }
  // The variables would name another one.
  place.env = { PATH: place.env.PATH ?? '', HOME: place.home };
}

/** @returns the words of a request to create one */
const fields = (reference: string) => [
  ...['--customer', customer, '--plan', 'GOLD', '--frequency', 'Weekly'],
  ...['--reference', reference],
];
const lines = (reference: string) => {
  const file = path.join(place.home, `${reference}.csv`);
  writeFileSync(file, `customer,plan,frequency,reference\n${customer},GOLD,Weekly,${reference}\n`);
  return file;
};

const DOORS: readonly [name: string, args: () => string[]][] = [
  ['subscription create', () => ['subscription', 'create', ...fields('S-1'), '--allow-second']],
  ['subscription batch', () => ['subscription', 'batch', lines('S-4'), '--allow-second']],
  ['subscription move', () => ['subscription', 'move', 'CURRENT', '--plan', 'GOLD']],
  ['a resume', () => ['subscription', 'update', stopped, '--is-active', '--allow-second']],
];

test('every command refuses charges above the limit and unconfirmed ones', async () => {
  await openShop();
  for (const [name, args] of DOORS) {
    const above = await live([...args(), '--confirm', '1499'], '1499');
    expect(above.stderr, name).toMatch(
      /Each charge of .*: 15\.00 .* is above the limit of the profile 1499/,
    );
    expect(above.code, name).toBe(10);
    const unasked = await live(args());
    expect(unasked.stderr, name).toMatch(/cannot ask you here to confirm .* the live profile/);
    expect(unasked.code, name).toBe(10);
  }
  const { stdout } = await live(['subscription', 'get', 'OLD', 'CURRENT', '-o', 'tsv']);
  expect(stdout).toMatch(/OLD\tstopped.*\n.*CURRENT\tactive/);
  // gw asks nothing if a command starts no charges, or stops them.
  const quiet = ['--no-is-active', '-o', 'id'];
  for (const args of [
    ['subscription', 'create', ...fields('Q-1'), ...quiet],
    ['subscription', 'update', stopped, ...quiet],
    ['subscription', 'stop', 'CURRENT'],
  ]) {
    const { code, stderr } = await live(args, '1499');
    expect(code, stderr).toBe(0);
  }
});

test('a confirmed charge within the limit is sent once', async () => {
  await openShop();
  const second = ['--allow-second', '--confirm', '100000'];
  const create = ['subscription', 'create', ...fields('C-1'), ...second];
  expect((await live(create)).code).toBe(0);
  const again = await live(create);
  expect(again.stderr).toContain('You already made this subscription');
  expect(again.code).toBe(10);
  // A batch knows it, too.
  const batch = await live(['subscription', 'batch', lines('C-1'), '--confirm', '100000']);
  expect(batch.stderr).toContain('1 done (earlier)');
  const resume = ['subscription', 'update', stopped, '--is-active', ...second];
  for (let n = 0; n < 2; n++) expect((await live(resume)).code).toBe(0);
  const unknown = create.map((word) => (word === 'GOLD' ? 'LEAD' : word));
  const { code, stderr } = await live(unknown);
  expect(stderr).toContain('The gateway has no plan LEAD.');
  expect(code).toBe(4);
});

/** @returns address at which the same gateway makes what it is asked for, and nobody hears of it */
async function deafToMaking(): Promise<string> {
  const server = createServer(async (request, response) => {
    const { method = '', url: target = '', socket } = request;
    const { authorization = '' } = request.headers;
    const body = await text(request);
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await fetch(url + target, { method, headers, ...(body !== '' && { body }) });
    const answered = await answer.text();
    if (method === 'POST') socket.destroy();
    else response.writeHead(answer.status).end(answered);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a creation of unknown outcome counts as an active one, and the same reference is a duplicate', async () => {
  await openShop();
  await live(['subscription', 'stop', 'CURRENT']);
  const printed = JSON.stringify({ username: 'TEST', token: 'TEST' });
  const at = ['--environment', 'sandbox', '--base-url', await deafToMaking()];
  await gw(place, ['profile', 'set', 'deaf', ...at, '--credential-command', `echo '${printed}'`]);
  const create = (reference: string) =>
    live(['subscription', 'create', ...fields(reference), '-o', 'json'], 'deaf');
  const { error: lost } = JSON.parse((await create('LOST')).stderr);
  expect(lost.kind).toBe('unknown');
  const { error } = JSON.parse((await create('NEW')).stderr);
  expect(error).toMatchObject({ code: 'second-subscription', exit_code: 10, sent: false });
  expect(error.message).toMatch(
    /may be billed for GOLD already: the outcome of creating LOST is unknown/,
  );
  expect(error.next).toContain(`\`gw journal resolve ${lost.entry}\``);
  const { error: same } = JSON.parse((await create('LOST')).stderr);
  expect(same.code).toBe('duplicate-request');
  const batch = await live(['subscription', 'batch', lines('S-5')], 'deaf');
  expect(batch.stdout).toContain('the outcome of creating LOST is unknown');
  expect(batch.stderr).toContain('1 refused here');
});

test('a move with an unknown second request names its entry before it says how to go on', async () => {
  await openShop();
  const printed = JSON.stringify({ username: 'TEST', token: 'TEST' });
  const at = ['--environment', 'sandbox', '--base-url', await deafToMaking()];
  await gw(place, ['profile', 'set', 'deaf', ...at, '--credential-command', `echo '${printed}'`]);
  const move = ['subscription', 'move', 'CURRENT', '--plan', 'GOLD', '-o', 'json'];
  const { code, stderr } = await live(move, 'deaf');
  const { error } = JSON.parse(stderr);
  expect(error).toMatchObject({ kind: 'unknown', operation: 'subscription move' });
  expect(error.next).toMatch(
    new RegExp(`^It may .* \`gw journal resolve ${error.entry}\` to find`),
  );
  expect(error.next).toMatch(/until you know\. Then run the same command again/);
  expect(code).toBe(8);
  // The same command finds the new one.
  const again = await live([...move, '--confirm', 'deaf'], 'deaf');
  expect(JSON.parse(again.stdout)).toMatchObject({ reference: 'CURRENT-GOLD', is_active: true });
});
