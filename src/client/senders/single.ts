/**
 * Sends one request over node:http or node:https, on a connection of its own. It is the cheapest sender to load.
 *
 * `import()` would look at every export of node:http, and so load the undici that is part of Node.
 */
import { type ClientRequest, type IncomingMessage, request as openPlain } from 'node:http';
import { noteLeaving } from '../../host/http/left.ts';
import { startLimit } from '../../host/http/limit.ts';
import { transportReason } from '../../host/http/transport-reason.ts';
import {
  HeldBack,
  MAX_REPLY_BYTES,
  type Sender,
  type SendLimits,
  TransportError,
  type WireReply,
  type WireRequest,
} from './sender.ts';

export function createSingleSender(): Sender {
  return { send, close: async () => {} };
}

async function send(
  request: WireRequest,
  { timeoutMs, interrupted, mayLeave = () => true }: SendLimits,
): Promise<WireReply> {
  const limit = startLimit(interrupted, timeoutMs);
  try {
    return await sendWithin(request, limit.signal, mayLeave);
  } finally {
    limit.release();
  }
}

async function sendWithin(
  request: WireRequest,
  signal: AbortSignal,
  mayLeave: () => boolean,
): Promise<WireReply> {
  const isSecure = request.url.protocol === 'https:';
  // Imported here because it loads TLS.
  const open = isSecure ? (await import('node:https')).request : openPlain;
  return new Promise((resolve, reject) => {
    let sent = false;
    const fail = (error: unknown) => {
      const reason = signal.aborted ? signal.reason : error;
      const isHeldBack = reason instanceof HeldBack;
      reject(isHeldBack ? reason : new TransportError(transportReason(reason), sent, reason));
    };
    if (signal.aborted) return fail(signal.reason);
    const outgoing: ClientRequest = open(request.url, {
      method: request.method,
      headers: withLength(request),
      agent: false,
    });
    signal.addEventListener('abort', () => outgoing.destroy(signal.reason), { once: true });
    outgoing.on('socket', (socket) => {
      // Node writes nothing, not even the headers, before `end`. By then it is connected, TLS included.
      socket.on(isSecure ? 'secureConnect' : 'connect', () => {
        if (!mayLeave()) return void outgoing.destroy(new HeldBack());
        sent = true;
        noteLeaving(request.method);
        outgoing.end(request.body);
      });
    });
    let answered = false;
    outgoing.on('error', fail);
    outgoing.on('response', (incoming) => {
      answered = true;
      readReply(incoming).then(resolve, fail);
    });
    // If the gateway switches to another protocol, Node reports no error and only hangs up.
    outgoing.on('close', () => {
      if (!answered) fail(new Error('the connection was closed'));
    });
  });
}

function withLength(request: WireRequest): Record<string, string> {
  if (request.body === undefined) return { ...request.headers };
  return { ...request.headers, 'content-length': String(Buffer.byteLength(request.body)) };
}

async function readReply(incoming: IncomingMessage): Promise<WireReply> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_REPLY_BYTES) throw new Error('the answer is larger than 16 MiB');
    chunks.push(chunk);
  }
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
  return {
    status: incoming.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    // Strips a byte order mark, which is not part of the text.
    body: new TextDecoder().decode(Buffer.concat(chunks)),
  };
}
