/** The body of a request, within its limit. */
import type { IncomingMessage } from 'node:http';
import { MAX_BODY_BYTES } from '../request-body.ts';

const NOTHING = new Uint8Array();

/** @returns the body; one that is larger than `MAX_BODY_BYTES` is not read to its end */
export function readBody(
  request: IncomingMessage,
): Promise<Uint8Array | 'too large' | 'broken off'> | Uint8Array | 'too large' {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (Number(length) > MAX_BODY_BYTES) return 'too large';
  const isAnnounced = Number(length) > 0 || coding !== undefined;
  return isAnnounced ? readWhole(request) : NOTHING;
}

function readWhole(request: IncomingMessage): Promise<Uint8Array | 'too large' | 'broken off'> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    // What comes when the limit is passed is read and dropped.
    request.on('data', (chunk: Uint8Array) => {
      size += chunk.byteLength;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else resolve('too large');
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    // Only its client can end a body early. After the end these change nothing.
    request.on('error', () => resolve('broken off'));
    request.on('close', () => resolve('broken off'));
  });
}
