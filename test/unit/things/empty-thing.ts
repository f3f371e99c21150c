import type { IndexedThing } from '../../../src/things/thing.ts';

/** A thing that says no more than it has to. */
export const EMPTY_THING: IndexedThing = {
  ...{ kind: 'purchase', id: '071-P-1', at: '2026-03-09T10:00:00Z' },
  ...{ seenAt: '2026-03-10T09:30:00.000Z', account: null, profile: 'shop', environment: 'live' },
  ...{ host: 'gateway.example', outcome: 'approved', amount: null, currency: null },
  ...{
    reference: null,
    who: null,
    email: null,
    lastFour: null,
    message: null,
    label: null,
    endsOn: null,
  },
  ...{ purchase: null, customer: null, subscription: null, plan: null, operator: null },
  ...{ token: null, note: null, told: 'record', sources: { requests: {}, events: [] } },
  ...{ keys: [], words: [], names: [], formerTokens: [] },
};
