/**
 * Sends bytes to the gateway. A request goes in, and a reply or a `TransportError` comes out. The error says whether
 * any byte of the request may have left this machine. Money safety rests on that: a failure before is "not reached", a
 * failure after is "unknown". If a sender cannot tell whether bytes left, it must report `sent: true`.
 */

export interface WireRequest {
  method: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

export interface WireReply {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface SendLimits {
  /** The exchange ends after so long. */
  timeoutMs: number;
  /** Ends the exchange. */
  interrupted: AbortSignal;
  /** Called once connected, TLS included, right before the first byte is written. */
  mayLeave?: (() => boolean) | undefined;
}

export interface Sender {
  /** @throws TransportError if no complete reply arrived; `HeldBack` if `mayLeave` returned false */
  send(request: WireRequest, limits: SendLimits): Promise<WireReply>;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** Longer replies are not read to their end. */
export const MAX_REPLY_BYTES = 16 * 1024 * 1024;

export class TransportError extends Error {
  /** false only if it is certain that no byte of the request was sent. */
  readonly sent: boolean;

  constructor(message: string, sent: boolean, cause?: unknown) {
    super(message, { cause });
    this.name = 'TransportError';
    this.sent = sent;
  }
}

/** By the time gw was connected, the request was not allowed to leave. */
export class HeldBack extends TransportError {
  constructor() {
    super('the time in which it may be sent was over', false);
  }
}
