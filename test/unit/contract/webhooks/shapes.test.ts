/** Each shape of each sample is one that gw reads, and says what it is meant to say. */
import { describe, expect, test } from 'vitest';
import { EVENT_PAYLOADS } from '../../../../src/contract/webhook-payloads.ts';
import { EVENT_NAMES, type EventName } from '../../../../src/contract/webhooks/names.ts';
import { SHAPES, type ShapeName, shapesOf } from '../../../../src/contract/webhooks/shapes.ts';
import { sampleBody } from '../../../../src/emulator/sample-event.ts';
import { readDelivery } from '../../../../src/events/read/read-delivery.ts';

const clock = { now: () => new Date('2026-03-10T09:30:00Z') };
const sample = (name: EventName, shape?: ShapeName) =>
  sampleBody({ name, path: '/nowhere', clock, seed: 'seed', shape });
const contentOf = (name: EventName, shape?: ShapeName) =>
  readDelivery(Buffer.from(JSON.stringify(sample(name, shape))));

const PAIRS = EVENT_NAMES.flatMap((name) =>
  [undefined, ...shapesOf(name)].map((shape) => [name, shape] as const),
);

test.each(PAIRS)('%s in the shape %s is read as the event that it is', (name, shape) => {
  const { kept, elements } = contentOf(name, shape);
  expect(kept.fault).toBeNull();
  expect(kept.outcome).toBe(contentOf(name).kept.outcome);
  expect(elements).toBe(shape === 'several' ? 2 : 1);
  for (const element of sample(name, shape).payload as object[])
    expect(EVENT_PAYLOADS[name].safeParse(element).success).toBe(true);
});

describe('a shape', () => {
  test('differs from the usual one, and each event has one', () => {
    for (const [name, shape] of PAIRS)
      if (shape !== undefined) expect(sample(name, shape)).not.toEqual(sample(name));
    expect(EVENT_NAMES.filter((name) => shapesOf(name).length === 0)).toEqual([]);
  });

  test('several has two purchases', () => {
    const ids = contentOf('charge:retry', 'several').parts.map(({ purchase }) => purchase?.id);
    expect(new Set(ids).size).toBe(2);
  });

  test('authorized has no successful in its record, and still says what happened', () => {
    const { payload } = sample('charge:successful', 'authorized');
    expect(payload).toMatchObject([{ response: { response: { authorized: true } } }]);
    expect(payload).not.toMatchObject([{ response: { response: { successful: true } } }]);
  });

  test('no-id has no id under any name', () => {
    const { purchase } = contentOf('charge:failed', 'no-id');
    expect(purchase?.id ?? null).toBeNull();
    expect(JSON.stringify(sample('charge:failed', 'no-id'))).not.toMatch(/\d{3}-P-/);
  });

  test('no-purchase has an error in place of it', () => {
    const { purchase, response } = contentOf('charge:retry', 'no-purchase');
    expect(purchase).toBeNull();
    expect(response).toMatchObject({ successful: false, errors: [expect.any(String)] });
  });

  test('belongs to the events that can have it', () => {
    expect(shapesOf('card:expired')).toEqual(['several']);
    expect(shapesOf('charge:successful')).toEqual(['several', 'authorized']);
    expect(shapesOf('charge:failed')).toEqual(Object.keys(SHAPES));
  });
});
