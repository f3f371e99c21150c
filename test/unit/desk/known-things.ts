/** Known things in memory: rows with the keys that the table has for them. */
import type { JsonObject } from '../../../src/base/json.ts';
import type { StoredEvent } from '../../../src/events/event.ts';
import type { RememberedRecord } from '../../../src/journal/ledger.ts';
import type { KnownWithEvents, NamedThings } from '../../../src/requests/known/lazy-ledger.ts';
import { fold } from '../../../src/things/normalise.ts';
import type { Owner } from '../../../src/things/owner.ts';
import type { Thing } from '../../../src/things/thing.ts';

export const OWNER: Owner = {
  account: 'a1',
  profile: 'sandbox',
  environment: 'sandbox',
  host: 'gateway.example',
};

/** A row with further names, such as a card's alias, by which the table finds it. */
export interface NamedThing extends Thing {
  keys?: readonly string[];
}

/** The sources of a thing; those left out do not know it. */
interface Tellers {
  isSeen?: boolean;
  requests?: readonly string[];
  events?: readonly number[];
}

export function thing({
  isSeen,
  requests = [],
  events = [],
  ...part
}: Pick<Thing, 'kind' | 'id'> & Partial<NamedThing> & Tellers): NamedThing {
  const isOther = part.kind === 'event' || part.kind === 'request';
  const seenAt = part.seenAt ?? '2026-03-11T00:00:00.000Z';
  const newest = part.kind === 'event' ? Number(part.id) : events.at(-1);
  const hasRecord = isSeen ?? (!isOther && events.length === 0);
  return {
    at: '2026-03-10T09:30:00Z',
    seenAt,
    ...OWNER,
    environment: 'sandbox',
    outcome: null,
    amount: null,
    currency: null,
    reference: null,
    who: null,
    email: null,
    lastFour: null,
    endsOn: null,
    message: null,
    label: null,
    purchase: part.kind === 'purchase' ? part.id : null,
    customer: part.kind === 'customer' ? part.id : null,
    subscription: part.kind === 'subscription' ? (part.reference ?? part.id) : null,
    plan: part.kind === 'plan' ? part.id : null,
    token: null,
    operator: null,
    note: null,
    told: hasRecord ? 'record' : newest === undefined ? 'request' : 'event',
    ...part,
    sources: {
      ...(hasRecord && { record: { seenAt } }),
      ...(newest !== undefined && {
        event: { seenAt, event: newest, date: null, isPending: false },
      }),
      requests: Object.fromEntries(
        (part.kind === 'request' ? [part.id] : requests).map((id) => [id, { seenAt }]),
      ),
      events: part.kind === 'event' ? [Number(part.id)] : events,
    },
  };
}

/**
 * @param records as last seen, by id
 * @param events as kept
 */
export function knownOf(
  things: readonly NamedThing[],
  records: Readonly<Record<string, JsonObject>> = {},
  events: readonly StoredEvent[] = [],
): KnownWithEvents {
  const namesOf = (one: NamedThing) => {
    const links = [one.purchase, one.customer, one.subscription, one.plan, one.token];
    const own = [one.id, one.reference, one.email, one.kind === 'request' ? null : one.who];
    const sources = [
      ...Object.keys(one.sources.requests),
      ...one.sources.events.map((number) => `#${number}`),
    ];
    const names = [...own, ...links, ...sources, ...(one.keys ?? [])];
    return names.flatMap((name) => (name ? [fold(name)] : []));
  };
  const tied: NamedThings['things']['tied'] = async (names, { kinds = [], limit }) => {
    const wanted = new Set(names.map(fold));
    return things
      .filter(({ kind }) => kinds.length === 0 || kinds.includes(kind))
      .filter((one) => namesOf(one).some((name) => wanted.has(name)))
      .slice(0, limit);
  };
  return {
    things: { tied },
    find: async () => [],
    remembered: async ({ id = '' }) =>
      records[id]
        ? [
            {
              ...OWNER,
              record: records[id],
              lastSeenAt: '2026-03-11T00:00:00.000Z',
            } as RememberedRecord,
          ]
        : [],
    events: async (numbers) => events.filter(({ id }) => numbers.includes(id)),
  };
}
