/** Asks a server to cancel another connection's statement. Only this message needs no session. */
import { connect } from 'node:net';
import type { LedgerAddress } from './address.ts';

const LENGTH = 16;
/** 1234 and 5678, which no protocol version uses. @see PostgreSQL, 55.7, CancelRequest */
const CANCEL_REQUEST = 80_877_102;

/** Identifies a session of the server. The server sent it when the session began. */
export interface SessionKey {
  processID: number;
  secretKey: number;
}

/** The result shows in the session itself: its statement fails, or has already finished. */
export function cancelStatement(
  { host, port }: Pick<LedgerAddress, 'host' | 'port'>,
  key: SessionKey,
): void {
  const message = Buffer.alloc(LENGTH);
  message.writeInt32BE(LENGTH, 0);
  message.writeInt32BE(CANCEL_REQUEST, 4);
  message.writeInt32BE(key.processID, 8);
  message.writeInt32BE(key.secretKey, 12);
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.on('error', () => socket.destroy());
  // Let the process exit without waiting for this socket.
  socket.unref();
  socket.end(message);
}
