/**
 * Recognises a delivery that repeats an earlier one: it has the same identity (src/events/read/read-event.ts). Without
 * the id of a delivery or of a purchase, the same words may be a new event: charge:pending comes every day in the same
 * words.
 *
 * Anybody can send in advance what a true delivery says. So an event that the gateway does not confirm has no
 * repetitions, and one that was only heard has none that are confirmed. An event that the gateway is asked about is
 * compared when it has answered.
 *
 * An event is found by its identity, its mark. Marks come in random order, so each would change a page of the file.
 * Those of the newest events stay in memory, and go to the file many at once. A mark only leads to an event. The event
 * itself says whether it is the same, because another process may have deleted it.
 *
 * Tests: test/unit/events/store/event-file.test.ts, test/unit/commands/listen/listener.test.ts
 */
import { allRows, firstRow, runSql } from '../../store/sql.ts';
import type { Queries } from '../../store/sqlite/queries.ts';
import type { AppendResult, NewEvent, StoredEvent, Verification } from '../event.ts';

type Marked = Pick<NewEvent, 'identity'> & { isWaiting: boolean };
type Compared = Pick<NewEvent, 'identity' | 'receivedAt' | 'authentication'>;

/** More of them fill the pages of the file better, and stop deliveries for longer. */
const MAX_MARKS = 2_000;
/** Pauses that double from a minute on end after 17 hours and 34 (section 6 leaves them open). The next day is new. */
const SAME_WORDS_HOURS = 20;

const STATE = "verification ->> 'state'";
const BELIEVABLE = `coalesce(${STATE}, 'verified') = 'verified'`;
const NEWER = 'ON CONFLICT (mark) DO UPDATE SET event = excluded.event';
const MARK = `INSERT INTO event_marks (mark, event) VALUES (?, ?) ${NEWER}`;
const MARK_ALL = `
  INSERT INTO event_marks (mark, event)
  SELECT identity, id FROM events
   WHERE id > (SELECT id FROM last_marked_event) AND duplicate_of IS NULL AND ${BELIEVABLE}
   ORDER BY identity, id ${NEWER}`;
const MARKED =
  'UPDATE last_marked_event SET id = max(id, (SELECT coalesce(max(id), 0) FROM events))';
const FROM = `
  SELECT id, identity, NOT ${BELIEVABLE} AS "isWaiting", duplicate_of AS "duplicateOf"
    FROM events WHERE id >= ? ORDER BY id`;
const REPEATED = `
  SELECT id FROM events
   WHERE id = coalesce(:newest, (SELECT event FROM event_marks WHERE mark = :identity))
     AND identity = :identity AND ${BELIEVABLE}
     AND (authentication = 'basic' OR ${STATE} IS 'verified' OR NOT :isConfirmed)
     AND (is_lasting = 1
          OR abs(unixepoch(received_at) - unixepoch(:receivedAt)) <= 3600 * ${SAME_WORDS_HOURS})`;
const OF_DELIVERY = `
  SELECT id FROM events
   WHERE id = coalesce(:newest, (SELECT event FROM event_marks WHERE mark BETWEEN :id || ' ' AND :id || ' ~' LIMIT 1))
     AND identity <> :identity`;

export class Repeats {
  /** The newest event of each mark that is not in the file, and of each delivery's id. */
  readonly #newest = new Map<string, number>();
  #last: (Pick<Marked, 'identity'> & Pick<AppendResult, 'id'>) | undefined;

  /** Learns what other processes kept. Call it first in a transaction. */
  begin(queries: Queries): void {
    const [last, ...later] = this.#last
      ? queries.do(allRows<Marked & AppendResult>(FROM, [this.#last.id]))
      : [];
    // If the last event is not there, its transaction was undone, or the event was deleted.
    if (last?.identity === this.#last?.identity && last && this.#newest.size < MAX_MARKS) {
      for (const row of later) this.add(row, row);
      return;
    }
    queries.do(runSql(MARK_ALL));
    queries.do(runSql(MARKED));
    this.#newest.clear();
    this.#last = queries.do(firstRow('SELECT id, identity FROM events ORDER BY id DESC LIMIT 1'));
  }

  /** @returns the id of the event that this one repeats; null if there is none */
  find(queries: Queries, event: Compared, isVerified = false): number | null {
    const { identity, receivedAt } = event;
    const newest = this.#newest.get(identity) ?? null;
    const isConfirmed = isVerified || event.authentication === 'basic';
    const values = { newest, identity, isConfirmed, receivedAt };
    return queries.do(firstRow<{ id: number }>(REPEATED, values))?.id ?? null;
  }

  /** @returns the id of an event with the same delivery's id and another identity; undefined if there is none */
  findDelivery(queries: Queries, { identity }: Pick<NewEvent, 'identity'>): number | undefined {
    const id = deliveryIn(identity);
    if (id === undefined) return undefined;
    const values = { id, identity, newest: this.#newest.get(id) ?? null };
    return queries.do(firstRow<{ id: number }>(OF_DELIVERY, values))?.id;
  }

  /** Compares an event when the gateway has answered. @returns as `find` */
  settle(queries: Queries, event: StoredEvent, state: Verification['state']): number | null {
    const { id, identity } = event;
    if (state !== 'verified') return null;
    const found = this.find(queries, event, true);
    if (found !== null && found !== id) return found;
    queries.do(runSql(MARK, [identity, id]));
    this.#newest.set(identity, id);
    return null;
  }

  /** Remembers an event that was kept. @param isWaiting whether the gateway is still to confirm it */
  add({ identity, isWaiting }: Marked, { id, duplicateOf }: AppendResult): void {
    this.#last = { id, identity };
    if (duplicateOf !== null || isWaiting) return;
    this.#newest.set(identity, id);
    this.#newest.set(deliveryIn(identity) ?? identity, id);
  }
}

/** @returns the part of an identity that is the delivery's; undefined if it has no id */
function deliveryIn(identity: string): string | undefined {
  return /^#[^ ]+/.exec(identity)?.[0];
}
