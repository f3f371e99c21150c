/** A subscription has the same state on every screen, whoever told of its customer, and when. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { relatedRecords } from '../../../src/desk/history/related.ts';
import { timelineOf } from '../../../src/desk/history/timeline.ts';
import { knownSubscriptions } from '../../../src/desk/report/known-subscriptions.ts';
import type { NewEvent } from '../../../src/events/event.ts';
import type { RecordSnapshot } from '../../../src/journal/ledger.ts';
import { knownRecord } from '../../../src/requests/known/known-record.ts';
import type { KnownWithEvents } from '../../../src/requests/known/lazy-ledger.ts';
import { isBilled, stopCause, stoppedOn } from '../../../src/things/subscription-state.ts';
import type { SearchFilter } from '../../../src/things/thing-index.ts';
import { panelContent } from '../../../src/view/panels/panel-of.ts';
import { charged, purchase, SCOPE, seen } from '../desk/support.ts';
import { newEvent } from '../events/support.ts';
import type { Opened } from './index-cases.ts';

const TODAY = '2026-03-11';
const on = (day: number) => `2026-03-${String(day).padStart(2, '0')}T01:00:00.000Z`;

const SUBSCRIPTION = {
  ...{ id: '071-S-SUB-7', reference: 'SUB-7', customer: '071-C-SUB-7', frequency: 'Weekly' },
  ...{ start_date: '2026-03-03', end_date: null, next_billing_date: '2026-03-17' },
  ...{ last_status: 'Successful', is_active: true },
};
const CUSTOMER = { id: '071-C-SUB-7', reference: 'ada', email: 'ada@example.org' };

type Step = RecordSnapshot | NewEvent;

const looked = (day: number, change: JsonObject = {}) =>
  seen('subscription', { ...SUBSCRIPTION, ...change }, { seenAt: on(day) });
const customer = (day: number, change: Partial<RecordSnapshot> = {}) =>
  seen('customer', CUSTOMER, { seenAt: on(day), ...change });
const deleted = (day: number) => customer(day, { seenBy: 'customer delete' });
const charge = (day: number, receivedOn = day, change: Partial<NewEvent> = {}) =>
  charged('approved', purchase(`071-P-${day}`, { transaction_date: on(day) }), {
    receivedAt: on(receivedOn),
    ...change,
  } as object);
const expired = (day: number, change: Partial<NewEvent> = {}) => {
  const told = { profile: 'sandbox', authentication: 'basic', receivedAt: on(day) } as const;
  return newEvent({ event: 'card:expired', payload: [CUSTOMER] }, { ...told, ...change });
};
const unverified = { authentication: 'none' } as const;
const moving = {
  at: on(3),
  what: 'moving',
  to: 'SUB-8',
  fields: [],
  operator: 'ada',
  note: null,
} as const;
const stopped = { at: on(4), what: 'stopped', fields: [], operator: 'ada', note: null } as const;

type Case = readonly [name: string, steps: readonly Step[], cause: string | null];

/** Days are those on which gw learnt each; without a cause the subscription is active. */
const CASES: readonly Case[] = [
  ['one of a customer who is there', [customer(1), looked(2)], null],
  ['one whose customer is deleted', [customer(1), looked(2), deleted(3)], 'customer deleted'],
  ['one that is learnt after the deletion', [deleted(3), looked(2)], 'customer deleted'],
  ['one that is seen active since', [deleted(3), looked(4)], null],
  [
    'one that is seen stopped since',
    [deleted(3), looked(4, { is_active: false })],
    'customer deleted',
  ],
  ['one whose customer is seen again', [looked(2), deleted(3), customer(4)], null],
  ['one of another account', [looked(2), { ...deleted(3), account: 'a2' }], null],
  ['one that webhooks alone tell of', [charge(2), deleted(3)], 'customer deleted'],
  ['one of which a webhook tells late', [deleted(3), charge(2, 4)], 'customer deleted'],
  ['one that is charged since', [looked(2), deleted(3), charge(4)], null],
  ['one of which hearsay tells late', [deleted(3), charge(2, 4, unverified)], 'customer deleted'],
  [
    'one that hearsay says is charged since',
    [looked(2), deleted(3), charge(4, 4, unverified)],
    'customer deleted',
  ],
  ['one whose card has expired', [customer(1), looked(2), expired(3)], 'card expired'],
  ['one whose card has expired by hearsay', [customer(1), looked(2), expired(3, unverified)], null],
  ['one whose customer hearsay alone tells of', [looked(2), expired(3, unverified)], null],
  ['one that is charged after the notice', [looked(2), expired(3), charge(4)], null],
  [
    'one that a person stopped',
    [customer(1), { ...looked(4, { is_active: false }), deed: stopped }],
    'person',
  ],
  [
    'one that a person stopped before the deletion',
    [customer(1), { ...looked(4, { is_active: false }), deed: stopped }, deleted(5)],
    'person',
  ],
  [
    'one that was moved',
    [
      { ...looked(2), deed: moving },
      { ...looked(4, { is_active: false }), deed: stopped },
      deleted(5),
    ],
    'moved',
  ],
];

/** @param open gives a ledger of the test's own, which it closes */
export function subscriptionStateCases(open: () => Promise<Opened>): void {
  test.each(CASES)('%s', async (_name, steps, cause) => {
    const { ledger, events, indexDue } = await open();
    for (const step of steps) {
      if ('kind' in step) await ledger.remember([step]);
      else await events.append(step);
      await indexDue();
    }
    const { things } = ledger;
    const known: KnownWithEvents = {
      things,
      find: (id) => ledger.find(id),
      remembered: (what, limit) => ledger.remembered(what, limit),
      events: (numbers) => events.findAll(numbers),
    };
    const ids = async (filter: SearchFilter) =>
      (await things.search({ kinds: ['subscription'], limit: 9, ...filter })).map(({ id }) => id);
    const each = async (outcome: string) => {
      const found: string[] = [];
      for await (const { id } of things.each({ kinds: ['subscription'], outcome })) found.push(id);
      return found;
    };
    const [row] = await things.tied(['SUB-7'], { kinds: ['subscription'], limit: 9 });
    const isByPerson = cause === 'person' || cause === 'moved';
    const day = cause === null ? undefined : isByPerson ? '2026-03-04' : '2026-03-03';
    expect(row && stoppedOn(row)).toBe(day);
    const [reported] = await knownSubscriptions({ things, scope: SCOPE }, TODAY);
    const listed = row && (await knownRecord(known, row, TODAY));
    const items = row && (await timelineOf(known, [{ ...row, told: 'record' }]));
    const scope = { owner: SCOPE, today: TODAY };
    const ties = await relatedRecords(known, { kind: 'customer', record: CUSTOMER }, scope);
    const moment = { since: on(9), now: new Date(on(9)), today: TODAY };
    const panel = panelContent('customer', { record: CUSTOMER, ties, moment });
    const line = panel.rows.map(({ text }) => text).find((text) => text.includes('SUB-7'));
    const fresh = { ...SUBSCRIPTION, is_active: cause === null };
    const own = await relatedRecords(known, { kind: 'subscription', record: fresh }, scope);

    const isActive = cause === null;
    const outcome = isActive ? 'active' : 'stopped';
    expect({
      row: row?.outcome,
      active: await ids({ outcome: 'active' }),
      stopped: await ids({ outcome: 'stopped' }),
      called: await ids({ outcome, ...{ text: 'SUB-7' } }),
      eachActive: await each('active'),
      report: reported?.isActive,
      list: listed?.record.is_active,
      history: items?.find(({ what }) => what === 'subscription')?.outcome,
      panel: line?.includes('STOPPED'),
      isBilled: row && isBilled(row, TODAY),
      cause: isActive ? null : row && stopCause(row),
      ownPanel: isActive ? null : own.stopCause,
    }).toEqual({
      row: outcome,
      active: isActive ? [SUBSCRIPTION.id] : [],
      stopped: isActive ? [] : [SUBSCRIPTION.id],
      called: [SUBSCRIPTION.id],
      eachActive: isActive ? [SUBSCRIPTION.id] : [],
      report: isActive,
      list: isActive,
      history: outcome,
      panel: !isActive,
      isBilled: isActive,
      cause,
      ownPanel: cause,
    });
  });
}
