/**
 * Tells different texts apart in little memory. Of each it keeps a number, and a digest of 96 bits, which no two of a
 * million texts share by chance (once in 10^17 files).
 *
 * Tests: test/unit/requests/batch/engine/distinct.test.ts
 */
import { hash } from 'node:crypto';

/** The numbers of 32 bits that a digest has. */
const WORDS = 3;
/** A digest, and the number that came with it. */
const ROW = WORDS + 1;
/** Rows that are held together, since a copy of all would take as much memory again. */
const CHUNK = 4096;

export class Distinct {
  /** The place of a digest's row plus 1, found by the beginning of the digest; 0 for none. At most half of it is taken. */
  #slots = new Uint32Array(1024);
  readonly #chunks: Uint32Array[] = [];
  #size = 0;

  /** The number of different texts. */
  get size(): number {
    return this.#size;
  }

  /** @returns the number that came with the text; undefined if it was not added */
  find(text: string): number | undefined {
    const place = this.#slots[this.#slotOf(digestOf(text))];
    return place ? this.#wordAt(place - 1, WORDS) : undefined;
  }

  /**
   * Adds a text, unless it is there.
   * @param number below 2^32
   * @returns the number that came with the text when it was added, which is this one for a new text
   */
  add(text: string, number: number): number {
    const digest = digestOf(text);
    const slot = this.#slotOf(digest);
    const known = this.#slots[slot];
    if (known) return this.#wordAt(known - 1, WORDS) ?? number;
    const place = this.#size++;
    if (place % CHUNK === 0) this.#chunks.push(new Uint32Array(ROW * CHUNK));
    this.#chunks.at(-1)?.set([...digest, number], ROW * (place % CHUNK));
    this.#slots[slot] = place + 1;
    if (2 * this.#size === this.#slots.length) this.#grow();
    return number;
  }

  /** @returns the slot that has the digest, or may have it */
  #slotOf(digest: Uint32Array): number {
    let slot = this.#firstSlot(digest[0]);
    for (;;) {
      const place = this.#slots[slot];
      if (!place || this.#isAt(place - 1, digest)) return slot;
      slot = this.#firstSlot(slot + 1);
    }
  }

  #firstSlot(word = 0): number {
    return word & (this.#slots.length - 1);
  }

  #isAt(place: number, digest: Uint32Array): boolean {
    for (let n = 0; n < WORDS; n++) if (this.#wordAt(place, n) !== digest[n]) return false;
    return true;
  }

  #wordAt(place: number, n: number): number | undefined {
    return this.#chunks[Math.floor(place / CHUNK)]?.[ROW * (place % CHUNK) + n];
  }

  #grow(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length);
    for (let place = 0; place < this.#size; place++) {
      let slot = this.#firstSlot(this.#wordAt(place, 0));
      while (this.#slots[slot]) slot = this.#firstSlot(slot + 1);
      this.#slots[slot] = place + 1;
    }
  }
}

function digestOf(text: string): Uint32Array {
  const { buffer, byteOffset } = hash('sha256', text, 'buffer');
  return new Uint32Array(buffer, byteOffset, WORDS);
}
