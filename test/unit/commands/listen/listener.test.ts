/** A whole listener in this process: a real socket, a store in memory, a clock that is moved. */

import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  Listener,
  type ListenOptions,
  type ListenParts,
} from '../../../../src/commands/listen/listener.ts';
import type { NewEvent, StoredEvent, Verification } from '../../../../src/events/event.ts';
import { EventFile, type EventStore } from '../../../../src/events/store/event-file.ts';
import { Failure } from '../../../../src/failure.ts';
import { basicAuthorization } from '../../../../src/host/http/basic-auth.ts';
import { endOfTurn } from '../../../../src/host/turn.ts';
import { Capture } from '../../../helpers/capture.ts';
import { charge, chargeText, post } from '../../../helpers/listener.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';
import { openReceiver } from '../../emulator/support-billing.ts';
import { manualClock, newEvent } from '../../events/support.ts';

const OPTIONS: ListenOptions = {
  host: '127.0.0.1',
  port: 0,
  path: '/',
  credentials: undefined,
  forwardCredentials: undefined,
  respond: 200,
  delayMs: 0,
  events: [],
  forwardTo: undefined,
  goal: undefined,
  timeoutMs: undefined,
  profile: null,
  isRemembering: true,
  mode: undefined,
  output: 'line',
  isVerbose: false,
};

/** Keeps what it is given, and finds the same purchase again. */
function memoryStore(): EventStore & { kept: (NewEvent & StoredEvent)[] } {
  const kept: (NewEvent & StoredEvent)[] = [];
  return {
    kept,
    append: async (event) => {
      const earlier = kept.find(({ identity }) => identity === event.identity);
      const appended = { id: kept.length + 1, duplicateOf: earlier?.id ?? null };
      kept.push({ ...event, ...appended });
      return appended;
    },
    forget: () => expect.unreachable(),
    find: async (id) => kept[id - 1],
    findAll: async (ids) => kept.filter(({ id }) => ids.includes(id)),
    verify: async (id, verification) => Object.assign(kept[id - 1]!, { verification }).duplicateOf,
    waiting: async () => [],
    forwardsIn: () => expect.unreachable(),
    targets: () => expect.unreachable(),
    settleForward: async () => undefined,
    list: () => expect.unreachable(),
    older: () => expect.unreachable(),
    prune: () => expect.unreachable(),
    close: async () => undefined,
  };
}

/** @returns a store that keeps nothing */
function failingStore(error: Error): ReturnType<typeof memoryStore> {
  return { ...memoryStore(), append: () => Promise.reject(error) };
}

/** @returns a running listener; `ended` is settled after the test at the latest */
async function start(
  options: Partial<ListenOptions> = {},
  {
    store = memoryStore(),
    clock = manualClock(),
    ...parts
  }: Partial<Pick<ListenParts, 'verify' | 'registrar'>> & {
    store?: ReturnType<typeof memoryStore>;
    clock?: ReturnType<typeof manualClock>;
  } = {},
) {
  const stop = new AbortController();
  const notices: string[] = [];
  const stdout = new Capture();
  const stderr = Object.assign(new Capture(), {
    write: async (text: string) => void notices.push(text.replace(/\n$/, '')),
  });
  const host = { clock, stdout, stderr, interrupted: stop.signal };
  const listener = new Listener(
    { ...OPTIONS, ...options },
    { host, store, random: () => 0, verify: undefined, registrar: undefined, ...parts },
  );
  const summary: string[] = [];
  const opened = listener.open();
  const ended = opened
    .then(() => listener.untilEnd())
    .finally(() => listener.close().finally(() => summary.push(...listener.summary())));
  const settled = ended.catch(() => undefined);
  onTestFinished(async () => {
    stop.abort();
    await settled;
  });
  // One that cannot start says so.
  const url = await opened;
  const deliver = async (body: string, headers = {}) => (await post(url, body, { headers })).status;
  const interrupt = () => {
    stop.abort();
    return ended;
  };
  return {
    url,
    kept: store.kept,
    clock,
    notices,
    summary,
    ended,
    deliver,
    interrupt,
    lines: () => stdout.text.split('\n').map(brief),
  };
}

/** @returns of a line the event, what the gateway said of it, and the mode that was expected */
function brief(line: string): string {
  if (line === '') return '';
  const [, , event, , , ...said] = line.split('\t');
  const state = said.map((text) => VERIFICATIONS[text.replace(/:.*/, '')]).find(Boolean);
  const expected = /MODE MISMATCH: (\w+) expected/.exec(line)?.[1];
  return `${event === 'no event' ? null : event} ${state ?? '-'} ${expected ?? '-'}`;
}

const VERIFICATIONS: Readonly<Record<string, string>> = {
  verified: 'verified',
  CONTRADICTED: 'contradicted',
  unverified: 'unverified',
  'not verified yet': 'waiting',
};

const named = (event: string, id = event) => chargeText(id, { event });

describe('an end', () => {
  test('comes with the goal, which ignores duplicates, bad deliveries and other events', async () => {
    const goal = { until: 'charge:*', count: 2 };
    const { deliver, ended, lines, kept } = await start({ goal });
    for (const body of [named('charge:retry'), named('charge:retry'), named('card:x'), 'nope']) {
      await deliver(body);
    }
    await deliver(named('charge:failed'));
    expect(await ended).toEqual({ end: 'reached', counted: 2 });
    expect(lines()).toEqual([
      'charge:retry - -',
      'charge:retry - -',
      'card:x - -',
      'null - -',
      'charge:failed - -',
      '',
    ]);
    expect(kept).toHaveLength(5);
  });

  test('comes after the wanted number of events, while others are stored and answered', async () => {
    let arrived = 0;
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const store = memoryStore();
    const { append } = store;
    store.append = async (event) => {
      arrived++;
      await gate;
      return append(event);
    };
    const goal = { until: undefined, count: 2 };
    const { deliver, ended, lines, kept } = await start({ goal }, { store });
    const answers = Promise.all(['a', 'b', 'c'].map((event) => deliver(named(event))));
    await expect.poll(() => arrived).toBe(3);
    open();
    expect(await ended).toEqual({ end: 'reached', counted: 2 });
    expect(await answers).toEqual([200, 200, 200]);
    expect(lines()).toHaveLength(3);
    expect(kept).toHaveLength(3);
  });

  test('comes with a defect of the store', async () => {
    const store = failingStore(new TypeError('a defect'));
    const { deliver, ended } = await start({}, { store });
    const failed = expect(ended).rejects.toThrow('a defect');
    expect(await deliver(named('charge:retry'))).toBe(503);
    await failed;
  });

  test('does not come with a failure of the store, so that the sender repeats the delivery', async () => {
    const store = failingStore(
      new Failure('file-unusable', 'The disk is full.', 'Make room.', { kind: 'guard' }),
    );
    const { deliver, interrupt, notices } = await start({}, { store });
    expect(await deliver(named('charge:retry'))).toBe(503);
    expect(await interrupt()).toMatchObject({ end: 'interrupted' });
    expect(notices).toEqual([
      'The disk is full. gw answers deliveries with 503 until it can store them. Make room.',
    ]);
  });
});

test('an unreadable delivery is answered with 503 and not stored', async () => {
  const clock = { ...manualClock(), now: () => new Date(Number.NaN) };
  const { deliver, kept, notices } = await start({}, { clock });
  expect(await deliver(named('a'))).toBe(503);
  expect(kept).toEqual([]);
  expect(notices).toEqual([
    'Refused with 503 and not kept: a request that could not be stored (gw cannot read it: Invalid time value).',
  ]);
});

test('a moved file is reported once, and its return once', async () => {
  const store = memoryStore();
  const { append } = store;
  const moved = new Failure('file-moved', 'The file is away.', 'Go on.');
  const { deliver, notices, kept } = await start({}, { store });
  store.append = () => Promise.reject(moved);
  const answers = await Promise.all(['a', 'b', 'c'].map((id) => deliver(chargeText(id))));
  expect(answers).toEqual([503, 503, 503]);
  store.append = append;
  expect(await deliver(chargeText('a'))).toBe(200);
  expect(await deliver(chargeText('b'))).toBe(200);
  expect(kept).toHaveLength(2);
  expect(notices).toEqual([
    'The file is away. gw answers deliveries with 503 until it can store them. Go on.',
    'The ledger is working again; 3 deliveries were answered with 503.',
  ]);
});

test('a listener answers with --respond, and with 400 for bad deliveries', async () => {
  const { deliver, kept } = await start({ respond: 202 });
  expect([await deliver(named('x')), await deliver('nope')]).toEqual([202, 400]);
  expect(kept.map(({ status, event, fault }) => [status, event, fault])).toEqual([
    [202, 'x', null],
    [400, null, 'the body is not JSON'],
  ]);
});

test('an event without its payload is bad: it is printed, and neither counted, verified nor passed on', async () => {
  const application = await openReceiver();
  const asked: unknown[] = [];
  const { deliver, ended, lines, kept } = await start(
    {
      ...{ forwardTo: new URL(application.url), events: ['charge:successful'] },
      goal: { until: undefined, count: 1 },
    },
    {
      verify: async ({ kept: { event } }) => {
        asked.push(event);
        return { state: 'verified', reason: '' };
      },
    },
  );
  expect(await deliver('{"event":"charge:failed","payload":[]}')).toBe(400);
  expect(await deliver(named('charge:successful'))).toBe(200);
  expect(await ended).toMatchObject({ end: 'reached', counted: 1 });
  expect(lines()).toEqual(['charge:failed - -', 'charge:successful verified -', '']);
  expect(asked).toEqual(['charge:successful']);
  expect(application.received.map(({ event }) => event)).toEqual(['charge:successful']);
  expect(kept[0]).toMatchObject({
    ...{ event: 'charge:failed', outcome: 'bad', fault: 'the payload is empty', status: 400 },
    ...{ forwardTo: null, verification: null },
  });
});

test('a listener prints the selected events and stores the others', async () => {
  const { deliver, interrupt, lines, kept } = await start({ events: ['card:*'] });
  await deliver(named('charge:retry'));
  await deliver(named('card:expired'));
  await interrupt();
  expect(lines()).toEqual(['card:expired - -', '']);
  expect(kept).toHaveLength(2);
});

test('a listener warns about another mode, and not about a missing one or other letters', async () => {
  const { deliver, interrupt, lines, notices } = await start({ profile: 'shop', mode: 'Sandbox' });
  await deliver(named('a'), { 'X-Service-Mode': 'Live' });
  await deliver(named('b'), { 'x-service-mode': 'sandbox' });
  await interrupt();
  expect(lines()).toEqual(['a - Sandbox', 'b - -', '']);
  expect(notices).toHaveLength(1);
  expect(notices[0]).toContain('event 1 says Live, but the profile shop expects Sandbox');
});

test('a listener verifies each named event and prints in the order of arrival', async () => {
  const asked: (string | null)[] = [];
  const { deliver, interrupt, lines, kept } = await start(
    {},
    {
      verify: async ({ kept: { event } }) => {
        asked.push(event);
        return { state: event === 'a' ? 'verified' : 'contradicted', reason: '' };
      },
    },
  );
  for (const body of [named('a'), 'nope', named('b')]) await deliver(body);
  await interrupt();
  expect(asked).toEqual(['a', 'b']);
  expect(lines()).toEqual(['a verified -', 'null - -', 'b contradicted -', '']);
  expect(kept.map(({ verification }) => verification?.state)).toEqual([
    'verified',
    undefined,
    'contradicted',
  ]);
});

describe('passing on what the gateway confirms', () => {
  const verdict = (state: Verification['state'], reason = '') => ({ state, reason });

  test('waits for an unreachable gateway, in the order of the source', async () => {
    const application = await openReceiver();
    let isUp = false;
    const { deliver, interrupt, notices, clock, lines, kept } = await start(
      { forwardTo: new URL(application.url) },
      { verify: async () => (isUp ? verdict('verified') : verdict('waiting', 'Not reached.')) },
    );
    await deliver(named('a'));
    await deliver(named('b'));
    await expect.poll(() => clock.pauses().length).toBe(1);
    clock.pass();
    await expect.poll(() => clock.pauses().length).toBe(1);
    expect(kept[0]?.verification).toEqual(verdict('waiting', 'Not reached.'));
    expect(application.received).toEqual([]);
    isUp = true;
    clock.pass();
    await expect.poll(() => application.received.length).toBe(2);
    await interrupt();
    expect(application.received.map(({ event }) => event)).toEqual(['a', 'b']);
    expect(lines()).toEqual(['a waiting -', 'b waiting -', '']);
    expect(kept.map(({ verification }) => verification)).toEqual([
      verdict('verified'),
      verdict('verified'),
    ]);
    expect(notices).toHaveLength(2);
  });

  test.each([
    ['without --verify, stays', undefined, []],
    ['with --verify, is asked about', async () => verdict('verified'), ['charge:successful']],
  ] as const)(
    'an event that waited for its verification and is found %s',
    async (_, verify, received) => {
      const application = await openReceiver();
      const store = memoryStore();
      const verification = verdict('waiting');
      await store.append(newEvent(charge('P-1'), { verification }));
      store.waiting = async () => [
        { id: 1, source: 'subscription S-1', attempts: 0, verification },
      ];
      const { interrupt, notices, summary } = await start(
        { forwardTo: new URL(application.url) },
        { store, verify },
      );
      await expect.poll(() => application.received.length).toBe(received.length);
      await interrupt();
      const passedOn = verify ? '1 event, of which 1 was received earlier.' : '0 events.';
      expect(summary[1]).toBe(`Passed on to ${application.url}: ${passedOn}`);
      expect(application.received.map(({ event }) => event)).toEqual(received);
      expect(notices).toEqual([
        verify
          ? `1 earlier event is waiting for ${application.url}.`
          : '1 earlier event was not passed on. Add --verify to ask the gateway about it.',
      ]);
    },
  );

  test('the end does not wait for a verification without an answer', async () => {
    const application = await openReceiver();
    const store = memoryStore();
    await store.append(newEvent(charge('P-1')));
    store.waiting = async () => [{ id: 1, source: 'x', attempts: 0, verification: null }];
    let asked = 0;
    const { interrupt, clock } = await start(
      { forwardTo: new URL(application.url) },
      {
        store,
        verify: () => {
          asked++;
          return new Promise(() => undefined);
        },
      },
    );
    await expect.poll(() => asked).toBe(1);
    const ended = interrupt();
    await expect.poll(() => clock.pauses()).toContain(5_000);
    clock.pass();
    expect(await ended).toMatchObject({ end: 'interrupted' });
  });
});

const CREDENTIALS = { username: 'gw-listen', password: 'only here' };
describe('repeated deliveries', () => {
  const stored = () => {
    const store = new EventFile(path.join(temporaryDirectory(), 'ledger.db'), endOfTurn);
    onTestFinished(() => store.close());
    return Object.assign(store, { kept: [] });
  };
  const pending = JSON.stringify({ event: 'charge:pending', payload: [{ id: 'S-1' }] });

  test('with ids of their own are events, and those with the same id are not', async () => {
    const { deliver, ended, lines, summary } = await start(
      { goal: { until: undefined, count: 4 } },
      { store: stored() },
    );
    for (const id of ['1', '1', '2', '2', '1', '3', '4'])
      expect(await deliver(pending, { 'X-Gw-Delivery': id })).toBe(200);
    expect(await ended).toMatchObject({ end: 'reached', counted: 4 });
    expect(lines()).toHaveLength(8);
    await expect
      .poll(() => summary)
      .toEqual(['Received 4 events: 4 charge:pending.', 'Not counted: 3 duplicates.']);
  });

  test('with one id and two bodies are two events, and gw says so', async () => {
    const { deliver, interrupt, notices, summary } = await start({}, { store: stored() });
    const id = { 'X-Gw-Delivery': '7' };
    const forged = chargeText('P-1').replace('2500', '1');
    for (const body of [forged, chargeText('P-1'), chargeText('P-1')]) await deliver(body, id);
    await interrupt();
    expect(notices).toEqual([
      'WARNING: event 2 has the delivery id of event 1, but not its content. One of them may be forged.',
    ]);
    expect(summary).toContain('Not counted: 1 duplicate.');
  });

  test('of a forged event do not hide the true one, which counts when the gateway confirms it', async () => {
    let isTrue = false;
    const { deliver, ended, lines } = await start(
      { goal: { until: undefined, count: 1 } },
      {
        store: stored(),
        verify: async () => ({ state: isTrue ? 'verified' : 'contradicted', reason: '' }),
      },
    );
    await deliver(chargeText('P-1'), { 'X-Gw-Delivery': '7' });
    await expect.poll(lines).toEqual(['charge:successful contradicted -', '']);
    isTrue = true;
    await deliver(chargeText('P-1'), { 'X-Gw-Delivery': '7' });
    expect(await ended).toMatchObject({ end: 'reached', counted: 1 });
    expect(lines()).toEqual([
      'charge:successful contradicted -',
      'charge:successful verified -',
      '',
    ]);
  });

  test('that arrive before the gateway has answered count once', async () => {
    const answers: (() => void)[] = [];
    const { deliver, interrupt, summary } = await start(
      {},
      {
        store: stored(),
        verify: () =>
          new Promise((resolve) => answers.push(() => resolve({ state: 'verified', reason: '' }))),
      },
    );
    await deliver(chargeText('P-1'));
    await deliver(chargeText('P-1'));
    await expect.poll(() => answers.length).toBe(2);
    for (const answer of answers.reverse()) answer();
    await interrupt();
    expect(summary).toEqual([
      'Received 1 event: 1 charge:successful (25.00 AUD).',
      'Not counted: 1 duplicate.',
    ]);
  });

  test('are passed on, since the first may not have been taken', async () => {
    const application = await openReceiver();
    const { deliver, interrupt } = await start(
      { forwardTo: new URL(application.url) },
      { store: stored() },
    );
    for (const id of ['7', '7']) await deliver(chargeText('P-1'), { 'X-Gw-Delivery': id });
    await expect.poll(() => application.received.length).toBe(2);
    await interrupt();
    expect(application.received.map(({ id }) => id)).toEqual(['7', '7']);
  });
});

describe('events that would go round', () => {
  const freePort = async () => {
    const server = await openReceiver();
    await server.close();
    return Number(new URL(server.url).port);
  };

  test('are refused at the start, if the address to pass on to is that of the listener', async () => {
    const port = await freePort();
    for (const address of ['localhost', '127.0.0.2', '[::1]', '0.0.0.0', '[::ffff:127.0.0.1]']) {
      const forwardTo = new URL(`http://${address}:${port}/hooks`);
      await expect(start({ port, forwardTo }), address).rejects.toMatchObject({
        kind: 'usage',
        code: 'forward-to-itself',
      });
    }
    const { url } = await start({ port, forwardTo: new URL(`http://localhost:${port + 1}/`) });
    expect(url.port).toBe(String(port));
  });

  test('through another listener are answered, and neither kept nor passed on', async () => {
    const [to, back] = [await freePort(), await freePort()];
    const at = (port: number) => new URL(`http://127.0.0.1:${port}/`);
    const first = await start({ port: to, forwardTo: at(back) });
    const second = await start({ port: back, forwardTo: at(to) });
    await first.deliver(chargeText('P-1'));
    await expect.poll(() => first.notices.length).toBe(1);
    await second.deliver(chargeText('P-2'));
    await expect.poll(() => second.notices.length).toBe(1);
    await first.interrupt();
    await second.interrupt();
    expect([first.kept.length, second.kept.length]).toEqual([2, 2]);
    expect(first.notices).toEqual([
      `Refused with 208 and not kept: a request that this listener passed on to ${at(back)} and that came back.`,
    ]);
    expect(first.summary.at(-1)).toBe(`Passed on to ${at(back)}: 2 events.`);
  });

  test('are not those that pass through a second listener to an application', async () => {
    const application = await openReceiver();
    const second = await start({ forwardTo: new URL(application.url) });
    const first = await start({ forwardTo: second.url });
    await first.deliver(chargeText('P-1'));
    await expect.poll(() => application.received.length).toBe(1);
    const marks = String(application.received[0]?.headers['x-gw-forwarded']).split(', ');
    expect(marks).toEqual([expect.stringMatching(/^[a-p-]{36}$/), expect.any(String)]);
    expect(new Set(marks).size).toBe(2);
    expect([first.notices, second.notices]).toEqual([[], []]);
  });
});

describe('the test gateway as sender', () => {
  test('learns the address of the listener, and its end', async () => {
    const told: string[] = [];
    const register = async ({ href }: URL) => {
      told.push(href);
      return { credentials: CREDENTIALS, remove: async () => void told.push('over') };
    };
    const { url, interrupt } = await start({ path: '/secret' }, { registrar: { register } });
    expect(told).toEqual([url.href]);
    expect(url.pathname).toBe('/secret');
    await interrupt();
    expect(told).toEqual([url.href, 'over']);
  });

  test('delivers with a password, which others need not have and which alone is believed', async () => {
    const store = memoryStore();
    const register = async () => ({ credentials: CREDENTIALS, remove: async () => {} });
    const { deliver } = await start({}, { store, registrar: { register } });
    const { username, password } = CREDENTIALS;
    const headers = { authorization: basicAuthorization(username, password) };
    const body = (id: string) => JSON.stringify(charge(id));
    expect(await deliver(body('P-1'), headers)).toBe(200);
    expect(await deliver(body('P-2'))).toBe(200);
    expect(store.kept.map(({ authentication }) => authentication)).toEqual(['basic', 'none']);
  });

  test('may fail to forget the address, which gw reports', async () => {
    const remove = async () => {
      throw new Failure('file-locked', 'The file is locked.', '');
    };
    const register = async () => ({ credentials: CREDENTIALS, remove });
    const { interrupt, notices } = await start({}, { registrar: { register } });
    expect(await interrupt()).toMatchObject({ end: 'interrupted' });
    expect(notices).toEqual([
      'The built-in test gateway keeps delivering here: The file is locked.',
    ]);
  });
});

test('a listener reports a hundred refusals and then their number', async () => {
  const { url, interrupt, notices } = await start();
  for (let n = 0; n < 102; n++) await post(new URL('/elsewhere', url), '');
  await interrupt();
  expect(notices).toHaveLength(102);
  expect(notices[0]).toBe(
    'Refused with 404 and not kept: a request with POST to another path, /elsewhere.',
  );
  expect(notices.slice(-2)).toEqual([
    'Further refusals are counted and reported at the end.',
    'Refused and not kept: 102 requests in all.',
  ]);
});
