/**
 * How bytes travel, seen from the client: one request in, one reply out, or a `TransportError`
 * that says whether any byte of the request can have left this machine. Money safety rests on that
 * distinction (a failure before is "not reached", after is "unknown"), so a sender that is not
 * sure says `sent`.
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

export interface Sender {
  /**
   * @param signal ends the exchange: time limit or interruption
   * @param mayLeave asked on a connection that stands, TLS included, right before the first byte is written
   * @throws TransportError when no complete reply came; `HeldBack` when `mayLeave` said no
   */
  send(request: WireRequest, signal: AbortSignal, mayLeave?: () => boolean): Promise<WireReply>;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** Replies larger than this are not read to their end. */
export const MAX_REPLY_BYTES = 16 * 1024 * 1024;

export class TransportError extends Error {
  /** false only when it is certain that no byte of the request was sent. */
  readonly sent: boolean;

  constructor(message: string, sent: boolean, cause?: unknown) {
    super(message, { cause });
    this.name = 'TransportError';
    this.sent = sent;
  }
}

/** The request was not to leave any more when the connection stood. */
export class HeldBack extends TransportError {
  constructor() {
    super('the time in which it may be sent was over', false);
  }
}
