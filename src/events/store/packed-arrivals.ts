/** Deliveries on their way to the thread that reads them: their bytes change hands, in one piece, and all else is copied. */

import type { Arrival } from '../event.ts';

export interface PackedArrivals {
  /** The bodies, one after the other. */
  bodies: Uint8Array<ArrayBuffer>;
  arrivals: readonly (Omit<Arrival, 'body'> & { length: number })[];
}

/** The bytes are copied: those of a request lie beside others in a block of Node's. */
export function packArrivals(arrivals: readonly Arrival[]): PackedArrivals {
  const bodies = new Uint8Array(arrivals.reduce((sum, { body }) => sum + body.length, 0));
  let at = 0;
  for (const { body } of arrivals) {
    bodies.set(body, at);
    at += body.length;
  }
  return {
    bodies,
    arrivals: arrivals.map(({ rawHeaders, receivedAt, isAuthenticated, isTooLong, body }) => {
      return { rawHeaders, receivedAt, isAuthenticated, isTooLong, length: body.length };
    }),
  };
}

export function unpackArrivals({ bodies, arrivals }: PackedArrivals): Arrival[] {
  let at = 0;
  return arrivals.map(({ rawHeaders, receivedAt, isAuthenticated, isTooLong, length }) => {
    const body = bodies.subarray(at, at + length);
    at += length;
    return { rawHeaders, receivedAt, isAuthenticated, isTooLong, body };
  });
}
