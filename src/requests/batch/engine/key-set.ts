/**
 * The keys of all lines of a text, to find those that occur twice: a hash table in typed arrays, 12
 * bytes a slot, so that a million lines take 25 MB where a Set of strings would take 150.
 *
 * A key counts by its first 64 bits. Two keys of a million that agree in them by chance are less
 * likely than 1 in 10 million, and then a line is wrongly called a repetition, and not sent.
 *
 * Open addressing with linear probing, never more than two thirds full.
 */
const FIRST_SLOTS = 1 << 12;

export class KeySet {
  #size = 0;
  #high = new Uint32Array(FIRST_SLOTS);
  #low = new Uint32Array(FIRST_SLOTS);
  /** Line at which the key came first; 0 marks a free slot. */
  #first = new Uint32Array(FIRST_SLOTS);
  /** By slot, for keys that came more than once. */
  #counts = new Map<number, number>();

  /**
   * @param key at least 16 hexadecimal digits
   * @param line from 1
   * @returns the line at which the key came first, and how often it has come now
   */
  add(key: string, line: number): { first: number; count: number } {
    if (this.#size * 3 >= this.#first.length * 2) this.#grow();
    const [high, low] = wordsOf(key);
    const slot = this.#slotOf(high, low);
    if (this.#first[slot] === 0) {
      this.#high[slot] = high;
      this.#low[slot] = low;
      this.#first[slot] = line;
      this.#size++;
      return { first: line, count: 1 };
    }
    const count = (this.#counts.get(slot) ?? 1) + 1;
    this.#counts.set(slot, count);
    return { first: this.#first[slot] ?? line, count };
  }

  /** @returns how often a key has come */
  countOf(key: string): number {
    const slot = this.#slotOf(...wordsOf(key));
    return this.#first[slot] === 0 ? 0 : (this.#counts.get(slot) ?? 1);
  }

  #slotOf(high: number, low: number): number {
    const mask = this.#first.length - 1;
    let slot = low & mask;
    while (this.#first[slot] !== 0 && (this.#high[slot] !== high || this.#low[slot] !== low)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #grow(): void {
    const [high, low, first, counts] = [this.#high, this.#low, this.#first, this.#counts];
    const slots = first.length * 2;
    this.#high = new Uint32Array(slots);
    this.#low = new Uint32Array(slots);
    this.#first = new Uint32Array(slots);
    this.#counts = new Map();
    for (let i = 0; i < first.length; i++) {
      if (first[i] === 0) continue;
      const slot = this.#slotOf(high[i] ?? 0, low[i] ?? 0);
      this.#high[slot] = high[i] ?? 0;
      this.#low[slot] = low[i] ?? 0;
      this.#first[slot] = first[i] ?? 0;
      const count = counts.get(i);
      if (count !== undefined) this.#counts.set(slot, count);
    }
  }
}

function wordsOf(key: string): [high: number, low: number] {
  return [Number.parseInt(key.slice(0, 8), 16), Number.parseInt(key.slice(8, 16), 16)];
}
