/** Puts the gateway's newest answers before older knowledge of the same records. */
import { textOrNull } from '../../base/text.ts';
import type { RecordSnapshot } from '../../journal/ledger.ts';
import { toldByRecord } from '../../journal/told-by-record.ts';
import type { KnownWithEvents } from '../../requests/known/lazy-ledger.ts';
import { fold } from '../../things/normalise.ts';
import { foldedRow, thingRow } from '../../things/row-of.ts';
import { NO_SOURCES } from '../../things/sources.ts';
import type { IndexedThing, Thing } from '../../things/thing.ts';
import { keysOfThing } from '../../things/words.ts';

/**
 * @param known undefined if this machine keeps nothing
 * @param answers of the gateway
 * @returns the known things, with those records in their present form
 */
export function withFresh(
  known: KnownWithEvents | undefined,
  answers: readonly RecordSnapshot[],
): KnownWithEvents {
  const records = answers.map(({ seenAt, deed: _, ...one }) => {
    return {
      ...one,
      firstSeenAt: seenAt,
      lastSeenAt: seenAt,
      currency: textOrNull(one.record.currency),
      deeds: [],
    };
  });
  const live = records.flatMap(
    (one) => thingRow(one, { ...NO_SOURCES, record: toldByRecord(one) }) ?? [],
  );
  const things: KnownWithEvents['things'] = {
    async tied(names, filter) {
      const wanted = new Set(names.map(fold));
      const before = (await known?.things.tied(names, filter)) ?? [];
      const isOfKind = ({ kind }: Thing) => !filter.kinds?.length || filter.kinds.includes(kind);
      const isCalled = (one: IndexedThing) => keysOfThing(one).some((key) => wanted.has(key));
      const added = live.filter(
        (one) => isOfKind(one) && isCalled(one) && !before.some((other) => isSame(one, other)),
      );
      const updated = before.flatMap((one) => {
        const now = live.find((other) => isSame(one, other));
        if (!now) return one;
        // The gateway has shown the record, so hearsay names it no longer.
        if (one.told === 'heard' && !isCalled(now)) return [];
        return foldedRow(withDeeds(now, one), one);
      });
      return [...added, ...updated];
    },
  };
  return {
    things,
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

/** The gateway does not tell what people did here. */
function withDeeds({ sources, ...now }: IndexedThing, { sources: before }: Thing): IndexedThing {
  const { record } = sources;
  const deeds = before.record?.deeds;
  return {
    ...now,
    sources: record && deeds ? { ...sources, record: { ...record, deeds } } : sources,
  };
}

function isSame(one: Thing, other: Thing): boolean {
  return one.kind === other.kind && one.id === other.id;
}
