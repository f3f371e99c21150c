/**
 * Takes informational answers (100 to 199, but for 101) out of what a socket reads, before undici does:
 * it ends a connection that says `100 Continue` to a request that did not ask for it, which RFC 9110
 * (15.2.1) permits a server to say.
 *
 *     a request is written ──► looking ──► an informational head: dropped, still looking
 *                                │
 *                                ╰──────► anything else: passed on, and all that follows
 *
 * It looks only at where an answer begins, and holds back no more than MAX_HEAD_BYTES.
 */
import type { Socket } from 'node:net';

const MAX_HEAD_BYTES = 64 * 1024;
const HEAD_END = '\r\n\r\n';
const INFORMATIONAL = /^HTTP\/1\.1 1(?!01)\d\d/;
/** Of a beginning that may still become one. */
const SHORTEST = 'HTTP/1.1 100';
const NOTHING = Buffer.alloc(0);

/** @param socket on which one answer at a time is awaited. @returns the same */
export function dropInformational(socket: Socket): Socket {
  const [read, write] = [socket.read.bind(socket), socket.write.bind(socket)];
  let isLooking = true;
  let held: Buffer = NOTHING;
  socket.write = ((...args: Parameters<typeof write>) => {
    isLooking = true;
    return write(...args);
  }) as typeof socket.write;
  socket.read = (size) => {
    for (;;) {
      const chunk = read(size) as Buffer | null;
      if (chunk === null || !isLooking) return chunk;
      held = withoutHeads(Buffer.concat([held, chunk]));
      if (held.length > 0 && !mayBeInformational(held)) {
        const passed = held;
        [isLooking, held] = [false, NOTHING];
        return passed;
      }
    }
  };
  return socket;
}

/** @returns the bytes after the informational answers that they begin with */
function withoutHeads(bytes: Buffer): Buffer {
  let rest = bytes;
  while (isInformational(rest)) {
    const end = rest.indexOf(HEAD_END);
    if (end === -1) return rest;
    rest = rest.subarray(end + HEAD_END.length);
  }
  return rest;
}

function isInformational(bytes: Buffer): boolean {
  return INFORMATIONAL.test(bytes.toString('latin1', 0, SHORTEST.length));
}

function mayBeInformational(bytes: Buffer): boolean {
  if (bytes.length >= SHORTEST.length)
    return isInformational(bytes) && bytes.length <= MAX_HEAD_BYTES;
  return INFORMATIONAL.test(bytes.toString('latin1') + SHORTEST.slice(bytes.length));
}
