import fs from 'node:fs';

/**
 * Writes all of the bytes at the place where the file stands. One write may take a part of them,
 * before a disk is full or a limit reached; the next one then says so.
 * @throws what the operating system says, after a part may have been written
 */
export function writeWhole(file: number, bytes: Uint8Array): void {
  for (let rest = bytes; rest.length > 0; ) rest = rest.subarray(fs.writeSync(file, rest));
}
