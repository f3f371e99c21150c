/**
 * The ids and references of known records, found in the cells of a bank, such as `CARD PMT INV-1042 REF 8871`.
 *
 * A name has to stand whole in a cell. Banks write capitals, and cut or add signs and spaces between letters and digits,
 * so these do not matter: INV1042 and `inv 1042` are INV-1042. INV-10421, INV-1042-B and 8871.50 hold no other name.
 * Banks of India join all parts of a text by hyphens, after the way of the payment: `UPI-A CUSTOMER-INV-1042`.
 */
import { kindOfId, type RecordKind } from '../../contract/record.ts';
import { fold } from '../../things/normalise.ts';
import type { Thing } from '../../things/thing.ts';

/** A record as a name means it, and its day and amount, if the ledger knows them. */
export interface NamedRecord extends Pick<Thing, 'kind' | 'id' | 'reference' | 'outcome'> {
  at?: string | undefined;
  amount?: number | null | undefined;
  currency?: string | null | undefined;
}

/** A run of letters or of digits, and where it stands. */
interface Word {
  text: string;
  start: number;
  end: number;
}

/** A name in a cell: its first and its last word, and the records that have it. */
interface NameInCell {
  first: number;
  last: number;
  records: readonly NamedRecord[];
}

export class KnownNames {
  /** By the words of the name, with spaces between them. */
  readonly #records = new Map<string, NamedRecord[]>();
  /** The most words of a name, by its first word. */
  readonly #lengths = new Map<string, number>();

  add({ kind, id, reference, outcome, at, amount, currency }: NamedRecord): void {
    const record = { kind, id, reference, outcome, at, amount, currency };
    for (const name of new Set([id, reference ?? ''])) {
      const words = wordsOf(fold(name));
      const [first] = words;
      if (!first) continue;
      const key = words.map(({ text }) => text).join(' ');
      const records = this.#records.get(key);
      if (records) records.push(record);
      else this.#records.set(key, [record]);
      this.#lengths.set(first.text, Math.max(words.length, this.#lengths.get(first.text) ?? 0));
    }
  }

  /** @returns for each name in the cells, the records that have it; an id by its form if no record is known to have it */
  in(cells: readonly string[]): (readonly NamedRecord[])[] {
    return cells.flatMap((cell) => {
      const names = this.#namesIn(fold(cell));
      return names.length > 0 ? names : idsIn(cell).map((record) => [record]);
    });
  }

  #namesIn(cell: string): (readonly NamedRecord[])[] {
    const words = wordsOf(cell);
    const names: NameInCell[] = [];
    for (const [first, word] of words.entries()) {
      const end = Math.min(words.length, first + (this.#lengths.get(word.text) ?? 0));
      for (let [key, last] = ['', first]; last < end; last++) {
        const next = words[last] as Word;
        key += last === first ? next.text : ` ${next.text}`;
        const records = this.#records.get(key);
        if (records && isEnd(cell, word.start) && isEnd(cell, next.end))
          names.push({ first, last, records });
      }
    }
    // INV-1042 stands in 2026-INV-1042, which is a name of its own.
    const isPart = (one: NameInCell) =>
      names.some((other) => other !== one && other.first <= one.first && one.last <= other.last);
    return names.filter((name) => !isPart(name)).map(({ records }) => records);
  }
}

function wordsOf(folded: string): Word[] {
  return [...folded.matchAll(/\p{L}+|\p{N}+/gu)].map(({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }));
}

type Joint = readonly [before: RegExp, after: RegExp];

/** A hyphen joins words. */
const HYPHEN: Joint = [/[\p{L}\p{N}][-_]?$/u, /^[-_]?[\p{L}\p{N}]/u];

/** The beginning of a text whose parts are joined by hyphens, and what joins words in it. */
const PARTED = /^(?:upi|neft|imps|rtgs|nach|ach|tpt|pos)(?: [cd]r)?-/;
const IN_PART: Joint = [/[\p{L}\p{N}]$/u, /^(?:[\p{L}\p{N}]|-(?:\p{N}|\p{L}(?!\p{L})))/u];

/** The signs of decimals, dates and times join digits. */
const JOINTS: readonly Joint[] = [
  [/\p{N}[.,/:']$/u, /^\p{N}/u],
  [/\p{N}$/u, /^[.,/:']\p{N}/u],
];

/** @returns whether a name may begin or end at that place */
function isEnd(cell: string, place: number): boolean {
  const [before, after] = [cell.slice(Math.max(0, place - 2), place), cell.slice(place, place + 3)];
  const joints = [PARTED.test(cell) ? IN_PART : HYPHEN, ...JOINTS];
  return !joints.some(([one, other]) => one.test(before) && other.test(after));
}

/** @returns the records whose ids stand in a cell, by the form of ids */
function idsIn(cell: string): NamedRecord[] {
  const ids = cell.toUpperCase().match(/(?<![\w-])\d{3,5}-[A-Z]{1,2}-\w+(?![\w-])/g) ?? [];
  return [...new Set(ids)].flatMap((id) => {
    const kind: RecordKind | undefined = kindOfId(id);
    return kind ? [{ kind, id, reference: null, outcome: null }] : [];
  });
}
