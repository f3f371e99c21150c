/** How an event that nobody confirmed is shown, and that it is in no sum. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type NewEvent, trustOf } from '../../../src/events/event.ts';
import { EventFile } from '../../../src/events/store/event-file.ts';
import { runCommand } from '../../helpers/cli.ts';
import { charge } from '../../helpers/listener.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';
import { newEvent } from './support.ts';

const SAMPLE: Partial<NewEvent> = { headers: [['user-agent', 'gw/9.9.9 sample']] };
const asked = (state: 'verified' | 'contradicted' | 'unverified' | 'waiting') => ({
  verification: { state, reason: '' },
});

test.each<[string, Partial<NewEvent>]>([
  ['confirmed', { authentication: 'basic' }],
  ['confirmed', asked('verified')],
  ['confirmed', { authentication: 'basic', ...asked('unverified') }],
  ['heard', {}],
  ['heard', asked('unverified')],
  ['heard', asked('waiting')],
  ['heard', { headers: [['User-Agent', 'gw/1 sampler']] }],
  ['contradicted', { authentication: 'basic', ...asked('contradicted') }],
  ['sample', SAMPLE],
  ['sample', { ...SAMPLE, authentication: 'basic', ...asked('verified') }],
])('an event is %s with %j', (trust, change) => {
  expect(trustOf(newEvent(charge('071-P-1'), change))).toBe(trust);
});

async function machine(...changes: Partial<NewEvent>[]) {
  const home = temporaryDirectory();
  const run = async (...args: string[]) => {
    const env = { GW_PROFILE: 'local' };
    return runCommand('oclif', args, { home, env, now: '2026-03-31T00:00:00Z' });
  };
  await run('emulator', 'reset', '--clock', '2026-03-31');
  mkdirSync(path.join(home, '.local/state/gw'), { recursive: true });
  const store = new EventFile(path.join(home, '.local/state/gw/ledger.db'));
  for (const [n, change] of changes.entries()) {
    const at = `2026-03-1${n}T00:00:00+00:00`;
    await store.append(newEvent(charge(`071-P-${n}`, { at }), { profile: 'local', ...change }));
  }
  await store.close();
  return {
    run,
    json: async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout),
  };
}

describe('of charges of which one is confirmed, one heard, one contradicted and one a sample', () => {
  const three = () => machine({ authentication: 'basic' }, {}, asked('contradicted'), SAMPLE);

  test('a report counts the first, and tells of the second apart', async () => {
    const { run, json } = await three();
    const rows = await json('report', 'month', '2026-03');
    expect(rows).toMatchObject([
      { what: 'charges', count: 1, amount: 2500 },
      { what: 'net', amount: 2500 },
      { what: 'heard', count: 1, amount: 2500 },
    ]);
    const { stderr } = await run('report', 'month', '2026-03');
    expect(stderr).toContain('1 charge of which only unverified webhooks tell: 25.00 AUD');
    expect(await json('report', 'charges', '2026-03')).toMatchObject([{ id: '071-P-0' }]);
    expect(await json('report', 'customers', '2026-03')).toMatchObject([{ payments: 1 }]);
  });

  test('a history adds up the first alone', async () => {
    const { run, json } = await three();
    const { stderr } = await run('history', 'SUB-1');
    expect(stderr).toContain('paid 25.00 AUD (1)');
    expect(stderr).toContain(
      'net 25.00 AUD, not counted, from unverified webhooks alone 25.00 AUD',
    );
    const items = await json('history', 'SUB-1');
    const money = items.filter(
      ({ what }: { what: string }) => what === 'charge' || what === 'retry',
    );
    expect(money).toMatchObject([{ hearsay: false }, { hearsay: true }]);
    expect(items.map(({ outcome }: { outcome: string }) => outcome)).not.toContain('sample');
  });

  test('searches and lists find all, with a word for each', async () => {
    const { json, run } = await three();
    expect((await run('find', '--kind', 'purchase', '-o', 'table')).stdout).toContain('unverified');
    const found = await json('find', '--kind', 'event');
    expect(found.map(({ outcome }: { outcome: string }) => outcome).sort()).toEqual([
      ...['contradicted', 'sample'],
    ]);
    const events = await json('events', 'list');
    expect(events.map(({ trust }: { trust: string }) => trust)).toEqual([
      ...['sample', 'contradicted', 'heard', 'confirmed'],
    ]);
    // The word stands first, since a narrow terminal cuts off the end of a long outcome.
    const table = (await run('events', 'list', '-o', 'table')).stdout;
    for (const word of ['sample,', 'contradicted,', 'unverified,']) expect(table).toContain(word);
    const panel = (await run('events', 'get', '4', '-o', 'table')).stdout;
    expect(panel).toMatch(/^\? Sample, Approved {2}25\.00 AUD/);
    expect(await json('purchase', 'list')).toMatchObject([{ hearsay: true }, { hearsay: false }]);
  });
});

test('an event that is confirmed later counts from then on, and one that is contradicted no more', async () => {
  const home = temporaryDirectory();
  const env = { GW_PROFILE: 'local' };
  const run = (...args: string[]) =>
    runCommand('oclif', [...args, '--json'], { home, env, now: '2026-03-31T00:00:00Z' });
  const store = new EventFile(path.join(home, '.local/state/gw/ledger.db'));
  const { id } = await store.append(
    newEvent(charge('071-P-1', { at: '2026-03-10T00:00:00Z' }), { profile: 'local' }),
  );
  const sums = async () =>
    JSON.parse((await run('report', 'month', '2026-03')).stdout).map(
      ({ what }: { what: string }) => what,
    );
  expect(await sums()).toEqual(['heard']);
  await store.verify(id, { state: 'verified', reason: '' });
  expect(await sums()).toEqual(['charges', 'net']);
  await store.verify(id, { state: 'contradicted', reason: '' });
  expect(await sums()).toEqual([]);
  await store.close();
});
