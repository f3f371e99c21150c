/**
 * A connection on which nothing is sent: whether somebody listens there, and what certificate they
 * show. What the certificate says is read whether it is trusted or not, and the connection is ended.
 */
import { connect, isIP, type Socket } from 'node:net';
import { transportReason } from '../../host/http/transport-reason.ts';
import { TransportError } from './sender.ts';

export interface Probed {
  /** Absent where the address is plain http. */
  tls?: ShownCertificate;
}

export interface ShownCertificate {
  /** Why it is not trusted for this host, in words; undefined for one that is. */
  fault: string | undefined;
  /** When it expires; undefined where it does not say. */
  expires: Date | undefined;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * @param url of a gateway, http or https
 * @param signal ends the attempt
 * @throws TransportError when nobody answers there, or not with TLS
 */
export async function probe(url: URL, signal: AbortSignal): Promise<Probed> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(url.port) || (DEFAULT_PORTS[url.protocol] ?? 0) });
  try {
    await within(socket, 'connect', signal);
    if (url.protocol !== 'https:') return {};
    return { tls: await certificateOf(socket, host, signal) };
  } catch (error) {
    const reason = signal.aborted ? signal.reason : error;
    throw new TransportError(transportReason(reason), false, reason);
  } finally {
    socket.destroy();
  }
}

async function certificateOf(
  socket: Socket,
  host: string,
  signal: AbortSignal,
): Promise<ShownCertificate> {
  const tls = await import('node:tls');
  const servername = isIP(host) === 0 ? { servername: host } : {};
  // An answer of this connection is never believed, so one that is not trusted may be looked at.
  const secure = tls.connect({ socket, host, ...servername, rejectUnauthorized: false });
  try {
    await within(secure, 'secureConnect', signal);
    const { valid_to } = secure.getPeerCertificate();
    const expires = Date.parse(valid_to ?? '');
    return {
      fault: secure.authorized ? undefined : faultOf(secure.authorizationError),
      expires: Number.isNaN(expires) ? undefined : new Date(expires),
    };
  } finally {
    secure.destroy();
  }
}

/** @param error what Node has there: an error, or the code of one */
function faultOf(error: unknown): string {
  if (error instanceof Error) return transportReason(error);
  const code = String(error);
  return transportReason(
    Object.assign(new Error(code.toLowerCase().replaceAll('_', ' ')), { code }),
  );
}

/** Resolves with the event; rejects with what comes in its place. */
function within(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    const settle = (act: () => void) => {
      signal.removeEventListener('abort', giveUp);
      act();
    };
    socket.once(event, () => settle(resolve));
    socket.once('error', (error) => settle(() => reject(error)));
    socket.once('close', () => settle(() => reject(new Error('the connection was closed'))));
  });
}
