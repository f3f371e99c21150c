/** Bytes in, whole lines out, many at a time. */

const LINE_END = 10;
/** Bytes that are passed on together. */
const FULL = 64 * 1024;

export class Lines {
  readonly #take: (whole: Uint8Array<ArrayBuffer>) => void;
  #bytes = new Uint8Array(FULL);
  #length = 0;
  /** Where the last line ends. */
  #whole = 0;

  /** @param take is given lines that are whole, each with its line end, in bytes of their own */
  constructor(take: (whole: Uint8Array<ArrayBuffer>) => void) {
    this.#take = take;
  }

  add(part: Uint8Array): void {
    if (this.#length + part.length > this.#bytes.length) {
      const grown = new Uint8Array(2 * (this.#length + part.length));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(part, this.#length);
    const end = part.lastIndexOf(LINE_END);
    if (end !== -1) this.#whole = this.#length + end + 1;
    this.#length += part.length;
    if (this.#whole >= FULL) this.pass();
  }

  /** Passes on the lines that are whole. */
  pass(): void {
    if (this.#whole === 0) return;
    const whole = this.#bytes.slice(0, this.#whole);
    this.#bytes.copyWithin(0, this.#whole, this.#length);
    this.#length -= this.#whole;
    this.#whole = 0;
    this.#take(whole);
  }
}
