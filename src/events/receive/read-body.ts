/** Reads the body of a delivery within its limits. */
import type { IncomingMessage } from 'node:http';

export const MAX_BODY_BYTES = 1024 * 1024;
/**
 * A body that is too long is read on to its end and dropped, up to this much, since a sender that is
 * cut off in the middle sees a broken connection in place of the answer.
 */
const MAX_DROPPED_BYTES = 8 * MAX_BODY_BYTES;

/** `ended` is a sender that went away, or was too slow; `no-room` is many large bodies at once. */
export type BodyRead =
  | { kind: 'whole'; body: Uint8Array }
  | { kind: 'too-long' }
  | { kind: 'no-room' }
  | { kind: 'ended' };

/** @param reserve asked for each piece whether there is memory for it */
export function readBody(
  request: IncomingMessage,
  reserve: (bytes: number) => boolean,
): Promise<BodyRead> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) chunks.length = 0;
      else if (reserve(chunk.length)) chunks.push(chunk);
      else {
        request.pause();
        resolve({ kind: 'no-room' });
      }
      if (bytes > MAX_DROPPED_BYTES) {
        request.pause();
        resolve({ kind: 'too-long' });
      }
    });
    request.on('end', () => {
      if (bytes > MAX_BODY_BYTES) resolve({ kind: 'too-long' });
      else
        resolve({ kind: 'whole', body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks) });
    });
    request.on('error', () => resolve({ kind: 'ended' }));
    request.on('close', () => resolve({ kind: 'ended' }));
  });
}
