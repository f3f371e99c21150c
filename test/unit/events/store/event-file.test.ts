/** The memory of events, in a file. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type {
  ForwardState,
  NewEvent,
  StoredEvent,
  Verification,
} from '../../../../src/events/event.ts';
import { transientEvent } from '../../../../src/events/read/read-event.ts';
import { EventFile } from '../../../../src/events/store/event-file.ts';
import type { EventFilter } from '../../../../src/events/store/kept-events.ts';
import { endOfTurn } from '../../../../src/host/turn.ts';
import { openSqliteLedger } from '../../../../src/journal/sqlite/sqlite-ledger.ts';
import { rebuildIndex } from '../../../../src/requests/known/learn-due.ts';
import type { Owner } from '../../../../src/things/owner.ts';
import { standingClock } from '../../../helpers/client.ts';
import { charge } from '../../../helpers/listener.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';
import { appendAll, newEvent } from '../support.ts';

const pending = { event: 'charge:pending', payload: [{ id: 'S-1', frequency: 'Daily' }] };
const chargeOf = (id: string) => charge(id, { subscription: 'S-1' });
const TO = 'http://app/';
const done = { target: TO, id: 1, attempts: 1, error: null };

function open(endOfTurn?: () => Promise<void>) {
  const file = path.join(temporaryDirectory(), 'ledger.db');
  const reopen = () => {
    const store = new EventFile(file, endOfTurn);
    onTestFinished(() => store.close());
    return store;
  };
  const store = reopen();
  const listed = async (filter: Partial<EventFilter> = {}) => {
    const events: StoredEvent[] = [];
    for await (const event of store.list({ limit: 1_000, ...filter })) events.push(event);
    return events;
  };
  return { file, store, listed, reopen };
}

describe('an event store', () => {
  test('returns what was stored', async () => {
    const { store } = open();
    const event = newEvent(charge('P-1'), {
      mode: null,
      profile: 'shop',
      headers: [
        ['A', '1'],
        ['a', '2'],
      ],
    });
    const appended = await store.append(event);
    const { forwardTo: _, isLasting: __, ...kept } = event;
    expect(await store.find(1)).toEqual({
      ...kept,
      ...appended,
      body: new Uint8Array(event.body),
      verification: null,
    });
    expect(await store.find(2)).toBeUndefined();
  });

  test('returns any text unchanged, even NUL and half a character', async () => {
    const { store } = open();
    const texts = ['a\0b', '\ud83d', '\u0001json:"x"', ''];
    for (const text of texts) {
      const change = { event: text, fault: text, source: text, mode: text };
      const appended = await store.append(newEvent('{}', { ...change, identity: text }));
      expect(await store.find(appended.id)).toMatchObject(change);
    }
  });

  test('marks a repeated charge as a duplicate, whatever arrived in between', async () => {
    const { store } = open();
    const appended = await appendAll(
      store,
      ['P-1', 'P-2', 'P-1', 'P-1'].map((id) => newEvent(chargeOf(id))),
    );
    expect(appended.map(({ duplicateOf }) => duplicateOf)).toEqual([null, null, 1, 1]);
  });

  test('marks an announcement in the same words as a duplicate until the next day, whatever comes in between', async () => {
    const { store } = open();
    const other = { ...pending, payload: [{ id: 'S-2', frequency: 'Daily' }] };
    const stream: [unknown, at: string][] = [
      [pending, '2026-03-10T02:00'],
      [pending, '2026-03-10T02:01'],
      [other, '2026-03-10T02:02'],
      [chargeOf('P-1'), '2026-03-10T02:03'],
      [pending, '2026-03-10T19:03'],
      [pending, '2026-03-11T01:00'],
      [pending, '2026-03-11T02:00'],
      [pending, '2026-03-12T02:00'],
      [pending, '2028-03-12T02:00'],
      // The clock was set back a little.
      [pending, '2028-03-12T01:59'],
    ];
    const appended = await appendAll(
      store,
      stream.map(([value, at]) => newEvent(value, { receivedAt: `${at}:00.000Z` })),
    );
    const duplicates = appended.map(({ duplicateOf }) => duplicateOf);
    expect(duplicates).toEqual([null, 1, null, null, 1, null, 6, null, null, 9]);
  });

  test('compares the day of an announcement across processes, and when many events came in between', async () => {
    const { store, reopen } = open(endOfTurn);
    const on = (at: string) => ({ receivedAt: `2026-03-${at}:00.000Z` });
    await store.append(newEvent(pending, on('10T02:00')));
    const many = Array.from({ length: 5_000 }, (_, i) => newEvent(pending, { identity: `${i}` }));
    await Promise.all(many.map((one) => store.append(one)));
    expect(await store.append(newEvent(pending, on('10T04:00')))).toMatchObject({ duplicateOf: 1 });
    const next = await reopen().append(newEvent(pending, on('11T02:00')));
    expect(next.duplicateOf).toBeNull();
    expect(await store.append(newEvent(pending, on('11T03:00')))).toMatchObject({
      duplicateOf: next.id,
    });
  });

  test('says when two deliveries have one id and differ, and hides neither', async () => {
    const { store, reopen } = open();
    const as = (identity: string, change: Partial<NewEvent> = {}) =>
      newEvent(pending, { identity, isLasting: true, ...change });
    await appendAll(store, [as('#7 a'), as('#70 a'), as('@7 a')]);
    const tried = await appendAll(store, [
      as('#7 a'),
      as('#7 b'),
      as('#7 a', { receivedAt: '2036-01-01T00:00:00.000Z' }),
    ]);
    expect(tried.map(({ duplicateOf, differsFrom }) => [duplicateOf, differsFrom])).toEqual([
      [1, undefined],
      [null, 1],
      [1, undefined],
    ]);
    const [d] = await appendAll(reopen(), [as('#7 d')]);
    expect(d).toMatchObject({ duplicateOf: null, differsFrom: expect.any(Number) });
  });

  test('warns of no delivery that comes again while the gateway is asked about it', async () => {
    const { store, reopen } = open();
    const waiting = { state: 'waiting', reason: '' } as const;
    const one = newEvent(pending, { identity: '#7 a', isLasting: true, verification: waiting });
    const kept = newEvent(pending, { identity: '#8 a', isLasting: true });
    const again = { ...kept, verification: waiting };
    const appended = await appendAll(store, [one, one, kept, again]);
    appended.push(...(await appendAll(reopen(), [one, again])));
    expect(appended.map(({ differsFrom }) => differsFrom)).toEqual(appended.map(() => undefined));
  });

  describe('that asks the gateway', () => {
    const asked = { verification: { state: 'waiting', reason: '' } } as const;
    const verdict = (state: Verification['state']) => ({ state, reason: '' });
    const [a, other] = [newEvent(charge('P-1'), asked), newEvent(charge('P-2'), asked)];

    test.each<[string, first: Verification['state'] | undefined, second: number | null]>([
      ['that the gateway confirmed makes a later one a duplicate', 'verified', 1],
      ['that the gateway contradicted', 'contradicted', null],
      ['that the gateway could not confirm', 'unverified', null],
      ['that the gateway could not be asked about', 'waiting', null],
      ['that the gateway has not answered about', undefined, null],
    ])('an event %s: %s', async (_, state, second) => {
      const { store, reopen } = open();
      await appendAll(store, [a, other]);
      if (state) await store.verify(1, verdict(state));
      await appendAll(store, [a, a]);
      expect(await store.verify(3, verdict('verified'))).toBe(second);
      expect(await store.verify(3, verdict('verified'))).toBe(second);
      expect((await store.find(3))?.duplicateOf).toBe(second);
      // The same for another process, and for the first of them afterwards.
      expect(await reopen().verify(4, verdict('verified'))).toBe(second ?? 3);
      expect(await store.verify(1, verdict('verified'))).toBe(second ? null : 3);
    });

    test('an event that was only heard does not hide one that the gateway confirms', async () => {
      const { store } = open();
      const heard = newEvent(charge('P-1'));
      await appendAll(store, [heard, heard, a]);
      expect(await store.verify(3, verdict('verified'))).toBeNull();
      const again = await appendAll(store, [heard, a]);
      expect(again[0]?.duplicateOf).toBe(3);
      expect(await store.verify(5, verdict('verified'))).toBe(3);
    });

    test('nor one that comes with a password', async () => {
      const { store } = open();
      const heard = newEvent(charge('P-1'));
      const basic = newEvent(charge('P-1'), { authentication: 'basic' });
      const appended = await appendAll(store, [heard, basic, basic, heard]);
      expect(appended.map(({ duplicateOf }) => duplicateOf)).toEqual([null, null, 2, 2]);
    });

    test('an event that was a duplicate and turns out to be false hides nothing', async () => {
      const { store } = open();
      const heard = newEvent(charge('P-1'));
      await appendAll(store, [heard, heard]);
      expect(await store.verify(1, verdict('contradicted'))).toBeNull();
      expect(await store.append(heard)).toMatchObject({ duplicateOf: null });
    });
  });

  test('recognises what another process kept, and what it kept before it was opened', async () => {
    const { store, reopen } = open();
    await store.append(newEvent(chargeOf('P-1')));
    const other = reopen();
    const repeated = await appendAll(
      other,
      ['P-1', 'P-2'].map((id) => newEvent(chargeOf(id))),
    );
    expect(repeated.map(({ duplicateOf }) => duplicateOf)).toEqual([1, null]);
    expect(await store.append(newEvent(chargeOf('P-2')))).toEqual({ id: 4, duplicateOf: 3 });
    expect(await reopen().append(newEvent(chargeOf('P-2')))).toEqual({ id: 5, duplicateOf: 3 });
  });

  test('an event that another process deleted is not repeated', async () => {
    const { store, reopen } = open();
    await appendAll(store, [newEvent(chargeOf('P-1')), newEvent(pending)]);
    await reopen().prune('2999');
    const again = await appendAll(store, [newEvent(chargeOf('P-1')), newEvent(pending)]);
    expect(again.map(({ duplicateOf }) => duplicateOf)).toEqual([null, null]);
  });

  test('recognises a repeated event after many others', async () => {
    const { store } = open(endOfTurn);
    const event = newEvent(chargeOf('P-1'));
    const many = Array.from({ length: 12_000 }, (_, i) => ({ ...event, identity: `${i}` }));
    await Promise.all(many.map((one) => store.append(one)));
    const repeated = await appendAll(store, [many[0]!, many[11_999]!]);
    expect(repeated.map(({ duplicateOf }) => duplicateOf)).toEqual([1, 12_000]);
  });

  test('finds events by each of their marks, newest first', async () => {
    const { store, listed } = open();
    const at = (hour: string) => ({ receivedAt: `2026-03-10T${hour}:00:00.000Z` });
    const failed = { event: 'charge:failed', reference: 'SUB-2', subscription: 'S-2' };
    await appendAll(store, [
      newEvent(charge('P-1'), at('01')),
      newEvent(charge('P-2', failed), at('02')),
      newEvent('nope', at('03')),
      newEvent({ event: 'x[y]?', payload: { email: 'B@x.y' } }, at('04')),
    ]);
    const cases: [Partial<EventFilter>, number[]][] = [
      [{}, [4, 3, 2, 1]],
      [{ events: [] }, [4, 3, 2, 1]],
      [{ limit: 2 }, [4, 3]],
      [{ limit: 0 }, []],
      [{ events: ['charge:*'] }, [2, 1]],
      [{ events: ['charge:s*', 'x[y]?'] }, [4, 1]],
      [{ events: ['x?y??'] }, []],
      [{ events: ['CHARGE:*'] }, []],
      [{ since: '2026-03-10T02:00:00.000Z', before: '2026-03-10T04:00:00.000Z' }, [3, 2]],
      [{ reference: 'SUB-2' }, [2]],
      [{ reference: 'sub-2' }, []],
      [{ reference: 'SUB' }, []],
      [{ customer: 'b@x.y' }, [4]],
      [{ outcomes: ['bad'] }, [3]],
      [{ outcomes: ['bad'], reference: 'SUB-2' }, []],
    ];
    for (const [filter, ids] of cases)
      expect(
        (await listed(filter)).map(({ id }) => id),
        JSON.stringify(filter),
      ).toEqual(ids);
  });

  test.each<[filter: Partial<EventFilter>, change: (body: string) => string]>([
    [{ customer: 'ada lovelace' }, (body) => body],
    [{ customer: 'ADA@example.com'.toLowerCase() }, (body) => body.replace('ada@', 'Ada@')],
    [{ customer: 'ada öz' }, (body) => body.replace('Lovelace', 'ÖZ')],
    [{ customer: 'émile lovelace' }, (body) => body.replace('Ada', 'Émile')],
    [{ reference: 'SUB-1' }, (body) => body.replace('SUB-1', '\\u0053UB-1')],
    [{ reference: 'SUB/1' }, (body) => body.replace('SUB-1', 'SUB\\/1')],
    [{ reference: 'SUB "1"' }, (body) => body.replace('SUB-1', 'SUB \\"1\\"')],
    [{ reference: ' SUB-1\u00a0' }, (body) => body.replace('SUB-1', ' SUB-1\u00a0')],
  ])('finds an event by a name in any form: %j', async (filter, change) => {
    const { store, listed } = open();
    await appendAll(store, [newEvent(pending), newEvent(change(JSON.stringify(charge('P-1'))))]);
    expect((await listed(filter)).map(({ id }) => id)).toEqual([2]);
  });

  test('finds the events of a profile, by its name and mode', async () => {
    const { store, listed } = open();
    const [shop, live] = [{ profile: 'shop' }, { mode: 'Live' }];
    await appendAll(store, [
      newEvent(charge('P-1'), { ...shop, mode: 'Sandbox' }),
      newEvent(charge('P-2'), { ...shop, ...live }),
      newEvent(charge('P-3'), { ...shop, mode: null }),
      newEvent(charge('P-4'), { profile: 'other', mode: 'Sandbox' }),
      newEvent(charge('P-5'), { profile: null, mode: 'Sandbox' }),
    ]);
    const idsOf = async (scope?: Owner) => (await listed({ scope })).map(({ id }) => id);
    const whose = { profile: 'shop', account: 'a1', host: null };
    expect(await idsOf({ ...whose, environment: 'sandbox' })).toEqual([3, 1]);
    expect(await idsOf({ ...whose, environment: 'live' })).toEqual([3, 2]);
    expect(await idsOf({ ...whose, environment: null })).toEqual([3, 2, 1]);
    expect(await idsOf()).toHaveLength(5);
  });

  test('lists more than a page of events completely', async () => {
    const { store, listed } = open();
    await appendAll(
      store,
      Array.from({ length: 200 }, (_, n) => newEvent(charge(`P-${n}`))),
    );
    const ids = (await listed()).map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: 200 }, (_, n) => 200 - n));
    expect(await listed({ limit: 130 })).toHaveLength(130);
    expect(await listed({ limit: 128 })).toHaveLength(128);
  });

  test('remembers the events to pass on until they are passed on', async () => {
    const { store, reopen } = open();
    await appendAll(
      store,
      ['P-1', 'P-2'].map((id) => newEvent(chargeOf(id), { forwardTo: TO })),
    );
    await store.append(newEvent(chargeOf('P-3')));
    const result = { target: TO, attempts: 1, error: null };
    await store.settleForward({ ...result, id: 1, state: 'done' });
    await store.settleForward({ ...result, id: 2, state: 'waiting', error: 'answered 500' });
    const reopened = reopen();
    expect(await reopened.waiting(TO)).toEqual([
      { id: 2, source: 'subscription S-1', attempts: 1, verification: null },
    ]);
    expect(await reopened.waiting('http://other/')).toEqual([]);
  });

  test('tells which events an application took, refused or has not had yet', async () => {
    const { store } = open();
    const events = ['P-1', 'P-2', 'P-3'].map((id) => newEvent(chargeOf(id), { forwardTo: TO }));
    await appendAll(store, [...events, newEvent(chargeOf('P-4'))]);
    const result = { target: TO, attempts: 1, error: null };
    await store.settleForward({ ...result, id: 1, state: 'done' });
    await store.settleForward({ ...result, id: 2, state: 'waiting', error: 'answered 500' });
    const ids = async (state: ForwardState) => [...(await store.forwardsIn(state)).keys()];
    expect(await store.forwardsIn('refused')).toEqual(new Map([[2, 'answered 500']]));
    expect([await ids('taken'), await ids('waiting'), await ids('withheld')]).toEqual([
      [1],
      [2, 3],
      [],
    ]);
  });

  test('stores that an event waits for its verification, or is withheld', async () => {
    const { store, reopen } = open();
    const waiting = { state: 'waiting', reason: 'not asked yet' } as const;
    await store.append(newEvent(charge('P-1'), { forwardTo: TO, verification: waiting }));
    const reopened = reopen();
    expect((await reopened.find(1))?.verification).toEqual(waiting);
    expect(await reopened.waiting(TO)).toMatchObject([{ id: 1, verification: waiting }]);
    await store.settleForward({
      target: TO,
      id: 1,
      state: 'withheld',
      attempts: 0,
      error: 'amount is 1, not 2',
    });
    expect(await store.waiting(TO)).toEqual([]);
  });

  test('stores the result of a verification', async () => {
    const { store } = open();
    await store.append(newEvent(charge('P-1')));
    const verification = { state: 'contradicted', reason: 'id' } as const;
    await store.verify(1, verification);
    expect((await store.find(1))?.verification).toEqual(verification);
  });

  test('removes old events, except those that wait to be passed on', async () => {
    const { store, listed } = open();
    const on = (day: number) => ({ receivedAt: `2026-03-${day}T10:00:00.000Z` });
    await appendAll(store, [
      newEvent(chargeOf('P-1'), on(10)),
      newEvent(chargeOf('P-2'), { ...on(11), forwardTo: TO }),
      newEvent(chargeOf('P-3'), { ...on(12), forwardTo: TO }),
      newEvent(pending, on(13)),
    ]);
    await store.settleForward({ target: TO, id: 2, state: 'done', attempts: 1, error: null });
    const before = '2026-03-13T10:00:00.000Z';
    expect(await store.older(before)).toEqual({ events: 2, waiting: 1 });
    expect(await store.prune(before)).toBe(2);
    expect(await store.prune(before)).toBe(0);
    expect((await listed()).map(({ id }) => id)).toEqual([4, 3]);
    expect((await store.waiting(TO)).map(({ id }) => id)).toEqual([3]);
    // A forgotten event is new when it comes again, and gets another number.
    const again = await appendAll(store, [newEvent(chargeOf('P-1')), newEvent(chargeOf('P-3'))]);
    expect(again.map(({ id, duplicateOf }) => [id, duplicateOf])).toEqual([
      [5, null],
      [6, 3],
    ]);
    expect(await store.older('2026-03-01')).toEqual({ events: 0, waiting: 0 });
    expect(await store.prune('2026-03-01')).toBe(0);
  });

  test('removes the events of a profile that started over, also those that wait to be passed on', async () => {
    const { store, listed } = open();
    await appendAll(store, [
      newEvent(chargeOf('P-1'), { profile: 'local' }),
      newEvent(chargeOf('P-2'), { profile: 'local', forwardTo: TO }),
      newEvent(chargeOf('P-3'), { profile: 'sandbox', forwardTo: TO }),
      newEvent(chargeOf('P-4'), { profile: null, forwardTo: TO }),
      newEvent(chargeOf('P-5'), { profile: 'local', forwardTo: TO }),
      newEvent(chargeOf('P-6'), { profile: 'local', forwardTo: TO }),
    ]);
    await store.settleForward({ target: TO, id: 6, state: 'done', attempts: 1, error: null });
    expect(await store.forget('local')).toBe(2);
    expect((await listed()).map(({ id }) => id)).toEqual([4, 3]);
    expect((await store.waiting(TO)).map(({ id }) => id)).toEqual([3, 4]);
  });
});

describe('the events of one turn of the event loop', () => {
  test('are one transaction, and duplicates are found among them', async () => {
    let end: () => void = () => undefined;
    const { store, listed } = open(() => new Promise((resolve) => (end = resolve)));
    const appended = ['P-1', 'P-2', 'P-1'].map((id) => store.append(newEvent(chargeOf(id))));
    expect(await listed()).toEqual([]);
    end();
    expect(await Promise.all(appended)).toEqual([
      { id: 1, duplicateOf: null },
      { id: 2, duplicateOf: null },
      { id: 3, duplicateOf: 1 },
    ]);
  });

  test('are refused together if one cannot be stored, and may be repeated', async () => {
    let end: () => void = () => undefined;
    const { file, store, listed } = open(() => new Promise((resolve) => (end = resolve)));
    const broken = { ...newEvent('{}'), source: null as unknown as string };
    const both = [newEvent(chargeOf('P-1')), broken].map((event) => store.append(event));
    const settled = Promise.allSettled(both);
    end();
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await listed()).toEqual([]);
    // Another process gets the number that was not used.
    const other = new EventFile(file);
    onTestFinished(() => other.close());
    await other.append(newEvent(chargeOf('P-2')));
    const repeated = ['P-1', 'P-2'].map((id) => store.append(newEvent(chargeOf(id))));
    end();
    expect((await Promise.all(repeated)).map(({ duplicateOf }) => duplicateOf)).toEqual([null, 1]);
  });
});

test('a passing event is whole while it waits, and loses its content when it is passed on', async () => {
  const { store } = open();
  await store.append(transientEvent(newEvent(charge('P-1'), { forwardTo: TO })));
  await store.settleForward({ ...done, state: 'waiting' });
  expect((await store.find(1))?.body.length).toBeGreaterThan(0);
  await store.settleForward({ ...done, state: 'done' });
  expect(await store.find(1)).toMatchObject({ headers: [], body: new Uint8Array() });
});

test('an ordinary event stays unchanged when it is passed on', async () => {
  const { store } = open();
  await store.append(newEvent(charge('P-1'), { forwardTo: TO }));
  await store.settleForward({ ...done, state: 'done' });
  expect((await store.find(1))?.body.length).toBeGreaterThan(0);
});

test('a repeated passing event is a duplicate', async () => {
  const { store } = open();
  const event = transientEvent(newEvent(charge('P-1')));
  expect(await store.append(event)).toMatchObject({ id: 1, duplicateOf: null });
  expect(await store.append(event)).toMatchObject({ id: 2, duplicateOf: 1 });
});

test('a passing event is never indexed', async () => {
  const { file, store } = open();
  await store.append(transientEvent(newEvent(charge('P-1'), { forwardTo: TO })));
  const ledger = await openSqliteLedger(file, standingClock());
  onTestFinished(() => ledger.close());
  await rebuildIndex(ledger.sql);
  expect((await ledger.things.sources()).kinds).toEqual({});
});

test('the store is private, and shares its file with the money requests', async () => {
  const { store, file } = open();
  const ledger = await openSqliteLedger(file, standingClock());
  onTestFinished(() => ledger.close());
  await store.append(newEvent(charge('P-1')));
  expect(await ledger.list({ limit: 10 })).toEqual([]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
