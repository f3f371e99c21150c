import { writeSync } from 'node:fs';

/**
 * Writes all bytes at the file's current position. If the disk is full or a limit is reached, one write may take only a
 * part. The next write then reports the error.
 * @throws the system's error, possibly after a part was written
 */
export function writeWhole(file: number, bytes: Uint8Array): void {
  for (let rest = bytes; rest.length > 0; ) rest = rest.subarray(writeSync(file, rest));
}
