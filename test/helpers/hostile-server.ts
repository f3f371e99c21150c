/**
 * A server that speaks HTTP byte by byte, as badly as a test wants, and remembers all that it was
 * sent: what a client believes to have sent is checked against what arrived.
 */
import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import tls from 'node:tls';
import { onTestFinished } from 'vitest';

export interface ArrivedRequest {
  method: string;
  target: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface Behaviour {
  /** When a connection stands, before anything is read. */
  onConnection?: (socket: Socket) => void;
  /** When a request has arrived whole. @param index of the request, from 0, over all connections */
  onRequest?: (socket: Socket, request: ArrivedRequest, index: number) => void;
}

export interface HostileServer {
  readonly port: number;
  readonly url: URL;
  readonly connections: number;
  /** Every byte that came, over all connections (inside TLS where there is TLS). */
  readonly received: string;
  /** The requests that arrived whole. */
  readonly requests: readonly ArrivedRequest[];
  close(): Promise<void>;
}

export interface HostileOptions {
  address?: string;
  tls?: { key: string; cert: string };
}

/** Listens until the test is over. */
export async function hostileServer(
  behaviour: Behaviour,
  { address = '127.0.0.1', tls: certificate }: HostileOptions = {},
): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  const requests: ArrivedRequest[] = [];
  let connections = 0;
  let received = '';

  const serve = (socket: Socket) => {
    let pending = '';
    socket.on('error', () => undefined);
    behaviour.onConnection?.(socket);
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      pending += chunk.toString('latin1');
      for (;;) {
        const taken = takeRequest(pending);
        if (!taken) return;
        pending = pending.slice(taken.length);
        requests.push(taken.request);
        behaviour.onRequest?.(socket, taken.request, requests.length - 1);
      }
    });
  };
  const server = certificate
    ? tls.createServer(certificate, serve).on('tlsClientError', () => undefined)
    : net.createServer(serve);
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.listen(0, address);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const close = async () => {
    for (const socket of sockets) socket.destroy();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  };
  onTestFinished(close);
  const host = address.includes(':') ? `[${address}]` : address;
  return {
    port,
    url: new URL(`${certificate ? 'https' : 'http'}://${host}:${port}`),
    get connections() {
      return connections;
    },
    get received() {
      return received;
    },
    requests,
    close,
  };
}

function takeRequest(text: string): { request: ArrivedRequest; length: number } | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [first = '', ...lines] = text.slice(0, headEnd).split('\r\n');
  const [method = '', target = ''] = first.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const length = headEnd + 4 + Number(headers['content-length'] ?? 0);
  if (text.length < length) return undefined;
  const body = Buffer.from(text.slice(headEnd + 4, length), 'latin1').toString('utf8');
  return { request: { method, target, headers, body }, length };
}

/** @returns the bytes of an answer; a length is added unless the headers have one */
export function answer(
  status: number,
  body = '',
  headers: Readonly<Record<string, string>> = {},
): string {
  const hasLength = 'content-length' in headers || 'transfer-encoding' in headers;
  const all = hasLength ? headers : { ...headers, 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Said\r\n${lines.join('')}\r\n${body}`;
}

/**
 * An address on which nobody listens. Port 1 is nobody's; a port that was free a moment ago may be
 * given to another process meanwhile.
 */
export const CLOSED_ADDRESS = new URL('http://127.0.0.1:1');
