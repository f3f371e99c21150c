/** Asks a server to end what it does for another connection: the one message that needs no session. */
import net from 'node:net';
import type { LedgerAddress } from './address.ts';

const LENGTH = 16;
/** 1234 and 5678, as no version of the protocol is. @see PostgreSQL, 55.7, CancelRequest */
const CANCEL_REQUEST = 80_877_102;

/** How a server knows a session of its own, as it said at its beginning. */
export interface SessionKey {
  processID: number;
  secretKey: number;
}

/** What comes of it is seen in the session itself: its statement fails, or had been done by then. */
export function cancelStatement(
  { host, port }: Pick<LedgerAddress, 'host' | 'port'>,
  key: SessionKey,
): void {
  const message = Buffer.alloc(LENGTH);
  message.writeInt32BE(LENGTH, 0);
  message.writeInt32BE(CANCEL_REQUEST, 4);
  message.writeInt32BE(key.processID, 8);
  message.writeInt32BE(key.secretKey, 12);
  const socket = host.startsWith('/')
    ? net.connect(`${host}/.s.PGSQL.${port}`)
    : net.connect(port, host);
  socket.on('error', () => socket.destroy());
  // Whoever has nothing else to do does not wait for it.
  socket.unref();
  socket.end(message);
}
