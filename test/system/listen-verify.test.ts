/** `gw listen --verify` as built, with the events of the test gateway, and with what can be forged of them. */
import { expect, test, vi } from 'vitest';
import { type Json, type JsonObject, setAt } from '../../src/base/json.ts';
import { gw, post, recordsOf, startListener } from '../helpers/listener.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const LOCAL = ['--profile', 'local', '-o', 'id'];
/** The last month in which the cards are valid: one is due to expire, and a few days later has expired. */
const EXPIRY = ['--expiry-date', '12/2026'];
const TODAY = '2026-12-20';
const START = '2026-12-24';

async function made(home: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await gw(home, args);
  expect(code, stderr).toBe(0);
  return stdout.trim();
}

async function subscribed(home: string, name: string, card: string, plan: string): Promise<string> {
  const customer = await made(home, [
    ...['customer', 'create', ...LOCAL, '--first-name', name, '--last-name', 'Lovelace'],
    ...[
      '--reference',
      `C-${name}`,
      '--email',
      `${name}@example.com`,
      '--test-card',
      card,
      ...EXPIRY,
    ],
  ]);
  const named = ['--name', plan, '--reference', plan, '--description', plan, '--amount', '150000'];
  await made(home, ['plan', 'create', ...LOCAL, ...named]);
  return made(home, [
    ...['subscription', 'create', ...LOCAL, '--customer', customer, '--plan', plan],
    ...['--frequency', 'Daily', '--reference', `SUB-${name}`, '--start-date', START, '--is-active'],
  ]);
}

/** An event with one place of its first object changed. */
function forged(event: JsonObject, path: string, value: Json, name = event.event) {
  const body: JsonObject = structuredClone({ ...event, event: name ?? null });
  const [first = {}] = body.payload as JsonObject[];
  setAt(first, path.split('.'), value);
  return JSON.stringify(body);
}

async function eventsOf(home: string) {
  const { stdout } = await gw(home, ['events', 'list', '--limit', '200', '-o', 'jsonl']);
  return recordsOf(stdout);
}

test.each(['deployed', 'strict'])(
  'every event of the %s gateway is confirmed, and no forged one is',
  async (dialect) => {
    const home = temporaryDirectory();
    await made(home, ['emulator', 'reset', '--dialect', dialect, '--clock', TODAY]);
    const listener = await startListener(home, ['--profile', 'local', '--verify']);
    await subscribed(home, 'Ada', 'approved', 'GOLD');
    await subscribed(home, 'Eve', 'declined', 'SILVER');
    // A merchant's own purchase, which has no more to do with a subscription than its reference.
    const pay = ['purchase', 'create', ...LOCAL, '--test-card', 'approved', '--amount', '100'];
    const other = await made(home, [...pay, '--reference', 'SUB-Ada']);
    await made(home, ['emulator', 'advance', '14d']);
    const settled = async () => {
      const events = await eventsOf(home);
      return events.every(
        ({ verification }) => verification !== null && verification !== 'waiting',
      );
    };
    await vi.waitUntil(settled, { timeout: 30_000 });

    const events = await eventsOf(home);
    expect(events.filter(({ verification }) => verification !== 'verified')).toEqual([]);
    expect(new Set(events.map(({ event }) => event)).size).toBe(6);
    const named = async (name: string) => {
      const found = events.find(({ event }) => event === name);
      return JSON.parse(await made(home, ['events', 'get', String(found?.id), '--raw']));
    };
    const paid: JsonObject = await named('charge:successful');
    const failed: JsonObject = await named('charge:failed');
    const retried: JsonObject = await named('charge:retry');
    const expired: JsonObject = await named('card:expired');
    const live = { 'X-Service-Mode': 'Live' };
    const forgeries: [body: string, headers?: Record<string, string>][] = [
      [forged(paid, 'response.response', { id: other, amount: 100, successful: true })],
      [forged(paid, 'response.response.amount', 1)],
      [forged(paid, 'response.response.message', 'Approved: call 555 0100')],
      [forged(paid, 'subscription.customer.first_name', 'Mallory')],
      [forged(paid, 'subscription.reference', 'SUB-Eve')],
      [forged(failed, 'subscription.last_status', 'Failed (3), call 555 0100')],
      [forged(failed, 'response.response.id', null)],
      [forged(retried, 'response.response.successful', true, 'charge:successful')],
      [forged(expired, 'last_name', 'Mallory')],
      [JSON.stringify(paid), live],
    ];
    for (const [body, headers = {}] of forgeries) await post(listener.url, body, { headers });
    await vi.waitUntil(settled, { timeout: 30_000 });
    const after = (await eventsOf(home)).slice(0, forgeries.length);
    expect(after.map(({ verification }) => verification)).toEqual([
      ...['contradicted', 'contradicted', 'contradicted', 'unverified', 'contradicted'],
      ...['contradicted', 'contradicted', 'contradicted', 'contradicted', 'contradicted'],
    ]);
    expect(after[0]).toMatchObject({ verification_reason: 'it is marked Live, not Sandbox' });
    listener.child.kill('SIGINT');
    await listener.ended;
  },
);
