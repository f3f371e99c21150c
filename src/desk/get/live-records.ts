/** Puts the gateway's newest answers before older knowledge of the same records. */
import type { JsonObject } from '../../base/json.ts';
import type { RecordKind } from '../../contract/record-id.ts';
import type { RememberedRecord } from '../../journal/ledger.ts';
import { toldByRecord } from '../../journal/told-by-record.ts';
import type { KnownWithEvents } from '../../requests/known/lazy-ledger.ts';
import { fold } from '../../things/normalise.ts';
import { foldedRow, thingRow } from '../../things/row-of.ts';
import { NO_SOURCES } from '../../things/sources.ts';
import type { IndexedThing, Thing } from '../../things/thing.ts';

/** A record as the gateway answered it, and in the form that gw remembers. */
export type FreshRecord = RememberedRecord;

/**
 * @param known undefined if this machine keeps nothing
 * @returns the known things, with those records in their present form
 */
export function withFresh(
  known: KnownWithEvents | undefined,
  records: readonly FreshRecord[],
): KnownWithEvents {
  const live = records.flatMap(
    (one) => thingRow(one, { ...NO_SOURCES, record: toldByRecord(one) }) ?? [],
  );
  const things: Pick<KnownWithEvents['things'], 'tied'> = {
    async tied(names, filter) {
      const wanted = new Set(names.map(fold));
      const before = (await known?.things.tied(names, filter)) ?? [];
      const isOfKind = ({ kind }: Thing) => !filter.kinds?.length || filter.kinds.includes(kind);
      const isCalled = ({ keys }: IndexedThing) => keys.some((key) => wanted.has(fold(key)));
      const added = live.filter(
        (one) => isOfKind(one) && isCalled(one) && !before.some((other) => isSame(one, other)),
      );
      const updated = before.map((one) => {
        const now = live.find((other) => isSame(one, other));
        return now ? foldedRow(now, one) : one;
      });
      return [...added, ...updated];
    },
  };
  return {
    things: things as KnownWithEvents['things'],
    find: async (id) => (await known?.find(id)) ?? [],
    events: async (numbers) => (await known?.events(numbers)) ?? [],
    async remembered(what, limit) {
      const now = records.filter(
        (one) =>
          (what.kind === undefined || one.kind === what.kind) &&
          (what.id === undefined || one.id === what.id) &&
          (what.of === undefined || one.account === what.of.account),
      );
      return [...now, ...((await known?.remembered(what, limit)) ?? [])].slice(0, limit);
    },
  };
}

function isSame(one: Thing, other: Thing): boolean {
  return one.kind === other.kind && one.id === other.id;
}

/** @returns the record of an answer in the form that gw remembers; undefined without an id */
export function freshRecord(
  kind: RecordKind,
  record: JsonObject,
  where: Pick<RememberedRecord, 'account' | 'profile' | 'environment' | 'host'>,
  now: string,
): FreshRecord | undefined {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
  const reference = text(record.reference);
  const id = text(record.id) ?? text(record.token) ?? reference;
  if (id === null) return undefined;
  const { account, profile, environment, host } = where;
  const names = [text(record.first_name), text(record.last_name)].filter((one) => one !== null);
  return {
    account,
    profile,
    environment,
    host,
    kind,
    id,
    reference,
    name: names.join(' ') || (text(record.card_holder) ?? text(record.name)),
    lastFour: /(\d{4})$/.exec(text(record.card_number) ?? '')?.[1] ?? null,
    amount: typeof record.amount === 'number' ? record.amount : null,
    seenBy: `${kind} get`,
    firstSeenAt: now,
    lastSeenAt: now,
    record,
    deeds: [],
  };
}
