import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays } from '../../../../src/base/calendar.ts';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { EVENT_PAYLOADS } from '../../../../src/contract/webhook-payloads.ts';
import { EVENT_NAMES, type EventName } from '../../../../src/contract/webhooks/names.ts';
import { eventBody, type Occasion } from '../../../../src/contract/webhooks/payload.ts';
import { billStoredDay } from '../../../../src/emulator/billing/billing-run.ts';
import { registerHook } from '../../../../src/emulator/deliveries/hooks.ts';
import { listDeliveries } from '../../../../src/emulator/deliveries/queue.ts';
import { sampleBody, sampleOccasion } from '../../../../src/emulator/sample-event.ts';
import { openState } from '../../../../src/emulator/state.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';
import { type Subscriber, seedOf } from '../../emulator/support-billing.ts';
import { flatContentOf } from '../../events/support.ts';

const NOW = new Date('2026-03-10T09:30:00.123Z');
const clock = { now: () => NOW };

const occasion = (name: EventName, seed = 'seed'): Occasion =>
  sampleOccasion({ name, path: '/nowhere', clock, seed });
const sample = (name: EventName, path = '/nowhere') =>
  sampleBody({ name, path, clock, seed: 'seed' });

/** The forms that a text of a payload may have; a name of a person is only `text`. */
const FORMS: readonly (readonly [form: string, RegExp])[] = [
  ['date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['id', /^\d{3}-[A-Z]+-[A-Z][A-Z\d]{7}$/],
  ['token', /^[a-z][a-z\d]{11}$/],
  ['authorization', /^\d{6}$/],
  ['masked card', /^\d{6}X{6}\d{4}$/],
  ['status', /^Failed \(\d\), (Pending|Aborted)$/],
];

/** @returns a value with its fields in their order, and in place of each plain value its form */
function shapeOf(value: Json | undefined): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]);
  }
  if (typeof value === 'boolean' || value === null) return value;
  if (typeof value !== 'string') return typeof value;
  return FORMS.find(([, form]) => form.test(value))?.[0] ?? 'text';
}

/** @returns what the test gateway says first of each event, in the days of two months, by the event's name */
function bodiesOf(path: string, subscribers: Record<string, Subscriber>) {
  const store = openState({ path, clock, seed: seedOf(subscribers) });
  try {
    registerHook(store, { merchant: 'TEST', url: 'http://127.0.0.1:1/' });
    for (let day = '2026-01-01'; day < '2026-03-01'; day = addDays(day, 1)) {
      store.write((tx) => billStoredDay(tx, day));
    }
    // Newest first, so that of each event the first one stays.
    const log = store.read((tx) => listDeliveries(tx, { limit: 10_000 }));
    return new Map(log.map(({ event, body }) => [event, JSON.parse(body) as Json]));
  } finally {
    store.close();
  }
}

const name = fc.string({ unit: fc.constantFrom(...'abcdefgh'), minLength: 3, maxLength: 9 });

test('a sample and what the test gateway delivers have the same shape', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(name, { minLength: 3, maxLength: 3 }),
      fc.record(
        {
          amount: fc.integer({ min: 1, max: 999_999 }),
          frequency: fc.constantFrom('Daily', 'Weekly', 'Monthly'),
          end_date: fc.constant('2026-02-20'),
        },
        { requiredKeys: ['amount', 'frequency'] },
      ),
      ([paid = '', declined = '', expiring = ''], subscription) => {
        const path = join(temporaryDirectory(), 'emulator.db');
        const delivered = bodiesOf(path, {
          [declined]: { ...subscription, card: 'declined' },
          [expiring]: { ...subscription, expiry: '01/2026' },
          [paid]: subscription,
        });
        for (const event of EVENT_NAMES) {
          expect(shapeOf(sample(event, path))).toEqual(shapeOf(delivered.get(event)));
        }
      },
    ),
    { numRuns: 12 },
  );
});

describe.each(EVENT_NAMES)('a sample of %s', (event) => {
  test('has the form of section 6', () => {
    const { payload, ...rest } = sample(event);
    expect(rest).toEqual({ event });
    const [element] = payload as Json[];
    expect(EVENT_PAYLOADS[event].safeParse(element)).toMatchObject({ success: true });
  });

  test('is read by the listener', () => {
    const { fault, isMasked, outcome, purchase, subscription, who, elements } = flatContentOf(
      sample(event),
    );
    expect({ fault, isMasked }).toEqual({ fault: null, isMasked: false });
    expect(outcome).not.toBe('unknown');
    expect({ who, elements }).toEqual({ who: 'Ada Lovelace', elements: 1 });
    expect(subscription === null).toBe(event.startsWith('card:'));
    expect(purchase === null).toBe(!/successful|retry|failed/.test(event));
  });
});

test.each([
  ['charge:successful', true, '2026-03-10', undefined],
  ['charge:retry', false, null, 'Failed (2), Pending'],
  ['charge:failed', false, null, 'Failed (3), Aborted'],
] as const)('the envelope of %s and its record both say successful: %s', (...row) => {
  const [event, successful, settlement_date, last_status] = row;
  const [element] = sample(event).payload as [JsonObject];
  expect(element).toMatchObject({
    response: {
      successful,
      errors: [],
      response: {
        successful,
        settlement_date,
        transaction_date: '2026-03-10T09:30:00+00:00',
        source: 'Recurring',
      },
    },
  });
  expect((element.subscription as JsonObject).last_status).toBe(last_status);
});

test('samples of different seeds have different purchases', () => {
  const ids = ['a', 'b'].map((seed) => occasion('charge:successful', seed).purchase?.id);
  expect(new Set(ids).size).toBe(2);
});

test('an event without its subject is not sent', () => {
  const { customer, subscription, purchase } = occasion('charge:retry');
  const bodyOf = (more: object) =>
    eventBody({ name: 'charge:retry', customer, ...more } as Occasion, true);
  expect(() => bodyOf({ purchase })).toThrow('charge:retry is about no subscription');
  expect(() => bodyOf({ subscription })).toThrow('the purchase of charge:retry says otherwise');
  const approved = { ...purchase, successful: true };
  expect(() => bodyOf({ subscription, purchase: approved })).toThrow('says otherwise');
});
