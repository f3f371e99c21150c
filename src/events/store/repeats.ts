/**
 * Recognises a delivery that repeats an earlier one, in two cases. An earlier one has its identity, and that identity is
 * never used again. Or the latest delivery of its source has it: charge:pending announces a subscription in the same
 * words every day, but other events of it come in between.
 *
 * An event is found by its marks: its source, and its identity if that is lasting. Marks come in random order, so each
 * would change a page of the file. Those of the newest events stay in memory, and go to the file many at once. A mark
 * only leads to an event. The event itself says whether it is the same, because another process may have deleted it.
 */
import type { Queries } from '../../store/sqlite/queries.ts';
import type { Appended, NewEvent } from '../event.ts';

type Marked = Pick<NewEvent, 'source' | 'identity' | 'isLasting'>;

/** More of them fill the pages of the file better, and stop deliveries for longer. */
const MAX_MARKS = 2_000;

const UNMARKED = 'events WHERE id > (SELECT id FROM last_marked_event) AND duplicate_of IS NULL';
const MARK = 'INSERT INTO event_marks (mark, event)';
const NEWER = 'ON CONFLICT (mark) DO UPDATE SET event = excluded.event';
const MARK_SOURCES = `${MARK} SELECT source, max(id) FROM ${UNMARKED} GROUP BY source ${NEWER}`;
const MARK_IDENTITIES = `
  ${MARK} SELECT identity, id FROM ${UNMARKED} AND is_lasting = 1 ORDER BY identity, id ${NEWER}`;
const MARKED =
  'UPDATE last_marked_event SET id = max(id, (SELECT coalesce(max(id), 0) FROM events))';
const FROM = `
  SELECT id, source, identity, is_lasting AS "isLasting", duplicate_of AS "duplicateOf"
    FROM events WHERE id >= ? ORDER BY id`;

export class Repeats {
  /** The newest event of each mark that is not in the file. */
  readonly #newest = new Map<string, number>();
  #last: (Pick<Marked, 'identity'> & Pick<Appended, 'id'>) | undefined;

  /** Learns what other processes kept. Call it first in a transaction. */
  begin(queries: Queries): void {
    const [last, ...later] = this.#last ? queries.all<Marked & Appended>(FROM, this.#last.id) : [];
    // If the last event is not there, its transaction was undone, or the event was deleted.
    if (last?.identity === this.#last?.identity && last && this.#newest.size < MAX_MARKS) {
      for (const row of later) this.add(row, row);
      return;
    }
    queries.run(MARK_SOURCES);
    queries.run(MARK_IDENTITIES);
    queries.run(MARKED);
    this.#newest.clear();
    this.#last = queries.get('SELECT id, identity FROM events ORDER BY id DESC LIMIT 1');
  }

  /** @returns the id of the event that this one repeats; null if there is none */
  find(queries: Queries, { source, identity, isLasting }: Marked): number | null {
    const mark = isLasting ? identity : source;
    const id =
      this.#newest.get(mark) ??
      queries.get<{ event: number }>('SELECT event FROM event_marks WHERE mark = ?', mark)?.event;
    if (id === undefined) return null;
    const same = 'SELECT id FROM events WHERE id = ? AND identity = ?';
    return queries.get<{ id: number }>(same, id, identity)?.id ?? null;
  }

  /** Remembers an event that was kept. */
  add({ source, identity, isLasting }: Marked, { id, duplicateOf }: Appended): void {
    this.#last = { id, identity };
    if (duplicateOf !== null) return;
    this.#newest.set(source, id);
    if (isLasting) this.#newest.set(identity, id);
  }
}
