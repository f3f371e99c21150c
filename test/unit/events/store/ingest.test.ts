import { expect, test } from 'vitest';
import type { Arrival, ReadingRules } from '../../../../src/events/event.ts';
import { ingest } from '../../../../src/events/store/ingest.ts';
import { Failure } from '../../../../src/failure.ts';

test('a delivery that cannot be read is an expected failure, and nothing of it is kept', async () => {
  const arrival: Arrival = {
    rawHeaders: [],
    get body(): Uint8Array {
      throw new RangeError('too deep');
    },
    receivedAt: '2026-03-10T09:30:00.000Z',
    isAuthenticated: false,
    isTooLong: false,
  };
  const store = { append: () => expect.unreachable() };
  const taken = ingest(store, [arrival], { events: [] } as unknown as ReadingRules);
  await expect(taken).rejects.toThrow(Failure);
  await expect(taken).rejects.toThrow('gw cannot read it: too deep');
});
