/** Deliveries as a listener hands them on, and how they are read. */
import type { Arrival, ReadingRules } from '../../src/events/event.ts';

export const READING_RULES: ReadingRules = {
  profile: 'shop',
  respond: 200,
  forwardTo: null,
  isConfirming: false,
};

export function arrival(body: unknown, change: Partial<Arrival> = {}): Arrival {
  return {
    rawHeaders: ['X-Service-Mode', 'Sandbox', 'Cookie', 'id=1'],
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    receivedAt: '2026-03-10T09:30:00.000Z',
    isAuthenticated: false,
    isTooLong: false,
    ...change,
  };
}
