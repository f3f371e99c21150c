/** Which records a file is about, or its lines have made, and where: 12 bytes for each, whatever they are called. */
import { createHash } from 'node:crypto';
import { KeySet } from './key-set.ts';

export class RecordSet {
  readonly #keys = new KeySet();

  /**
   * @param line of the file, from 1
   * @returns the line at which the same was added first, or undefined when this is it
   */
  add(kind: string, name: string, line: number): number | undefined {
    const { first, count } = this.#keys.add(keyOf(kind, name), line);
    return count > 1 ? first : undefined;
  }

  has(kind: string, name: string): boolean {
    return this.#keys.countOf(keyOf(kind, name)) > 0;
  }
}

function keyOf(kind: string, name: string): string {
  return createHash('sha256').update(`${kind} ${name}`).digest('hex');
}
