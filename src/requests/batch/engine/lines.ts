/**
 * The lines of a batch in little memory: a million of them stay readable in any order. Lines are packed in pages, since
 * an object for each takes twenty times as much. A change to a line that was read is soon lost.
 *
 * Tests: test/unit/requests/batch/engine/lines.test.ts
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { LinesOfAmount } from '../../../journal/ledger.ts';
import type { Line } from './batch.ts';

/** Lines that are packed together. */
const PAGE_LINES = 64;

/** Lines in their order, as whoever sends them takes them. */
export interface SomeLines extends Iterable<Line> {
  readonly length: number;
  /** @returns the lines from one place up to another, without that, from 0 */
  slice(from: number, to: number): readonly Line[];
}

/** A line, and the place of the first line that asks for the same or differs only in the amount. */
type Packed = [line: Line, first: number];

export class Lines implements SomeLines {
  readonly #pages: Uint8Array[] = [];
  /** The last lines, which are not packed yet. */
  #last: Packed[] = [];
  /** The page that was read last. */
  #read: { page: number; lines: readonly Packed[] } | undefined;
  /** Lines that ask for the same or differ only in the amount, by the place of the first. */
  readonly #siblings: ReadonlyMap<number, LinesOfAmount[]>;
  /** The note of each line that has none of its own. */
  note: string | undefined;
  /** ISO 4217 codes by purchase, for refunds that have none. */
  currencies: ReadonlyMap<string, string> = new Map();

  /** @param siblings may grow while lines are added */
  constructor(siblings: ReadonlyMap<number, LinesOfAmount[]>) {
    this.#siblings = siblings;
  }

  get length(): number {
    return this.#pages.length * PAGE_LINES + this.#last.length;
  }

  /** @param first the place of the first line that asks for the same or differs only in the amount */
  push(line: Line, first: number): void {
    this.#last.push([line, first]);
    if (this.#last.length < PAGE_LINES) return;
    // A copy, since the buffer that it came in is larger.
    this.#pages.push(new Uint8Array(deflateRawSync(JSON.stringify(this.#last), { level: 1 })));
    this.#last = [];
  }

  slice(from: number, to: number): Line[] {
    const lines: Line[] = [];
    for (let place = from; place < Math.min(to, this.length); place++)
      lines.push(this.#lineAt(place));
    return lines;
  }

  *[Symbol.iterator](): Generator<Line> {
    for (let place = 0; place < this.length; place++) yield this.#lineAt(place);
  }

  #lineAt(place: number): Line {
    const page = this.#page(Math.floor(place / PAGE_LINES));
    const [line, first] = page[place % PAGE_LINES] as Packed;
    const { kept } = line;
    line.siblings = this.#siblings.get(first);
    line.currency ??= this.currencies.get(kept?.refundOf ?? '');
    if (kept) kept.note ??= this.note ?? null;
    return line;
  }

  #page(page: number): readonly Packed[] {
    const packed = this.#pages[page];
    if (packed === undefined) return this.#last;
    if (this.#read?.page !== page)
      this.#read = { page, lines: JSON.parse(inflateRawSync(packed).toString()) as Packed[] };
    return this.#read.lines;
  }
}
