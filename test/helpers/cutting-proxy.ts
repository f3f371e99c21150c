/**
 * A proxy between gw and a PostgreSQL server that goes wrong at a chosen message of their conversation.
 * It knows the frames of the protocol, and counts those of both sides, of all connections in turn.
 *
 *     before   the message is not passed on, and the connection ends
 *     after    it is passed on, and the connection ends before anything comes back
 *     within   half of its bytes are passed on, and the connection ends
 *
 * Bytes that were passed on before still arrive: a connection ends like a machine that is switched off behind
 * a wire that still carries what is on it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import net, { type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseLedgerAddress } from '../../src/store/postgres/address.ts';

export type Cut = 'before' | 'after' | 'within';
export const CUTS: readonly Cut[] = ['before', 'after', 'within'];

export interface Message {
  from: 'gw' | 'server';
  /** One letter; `startup` of what has none. */
  type: string;
}

export interface CuttingProxyOptions {
  /** Which message goes wrong, from 0, and how. */
  cut?: { at: number; how: Cut } | undefined;
  /** Whether nobody can connect any more once something was cut. */
  staysAway?: boolean;
  /** Passes everything on in pieces of one byte. */
  splits?: boolean;
  /** Awaited before each message is passed on. */
  beforeMessage?: (message: Message, number: number) => Promise<void> | void;
}

export interface CuttingProxy {
  /** Address of the ledger through it. */
  url: string;
  /** All that was passed on or cut. */
  messages: readonly Message[];
  options: CuttingProxyOptions;
  /** Whether the message has come that was to go wrong. */
  hasCut(): boolean;
  /** Lets gw connect again. */
  comeBack(): void;
  /** Ends all connections, and takes no more until `comeBack`. */
  goAway(): void;
  close(): Promise<void>;
}

const HEAD_BYTES = 5;
const PORT = 5432;

/** @param url of a ledger on a Unix socket */
export async function startCuttingProxy(
  url: string,
  options: CuttingProxyOptions = {},
): Promise<CuttingProxy> {
  const address = parseLedgerAddress(url, 'The address');
  const folder = mkdtempSync(path.join(tmpdir(), 'gw-cut-'));
  const messages: Message[] = [];
  const open = new Set<Socket>();
  let isAway = false;
  let wasCut = false;

  const connect = (near: Socket) => {
    open.add(near);
    near.on('close', () => open.delete(near)).on('error', () => undefined);
    if (isAway) return void near.destroy();
    const server = net.connect(`${address.host}/.s.PGSQL.${address.port}`);
    open.add(server);
    server.on('close', () => open.delete(server)).on('error', () => undefined);
    const end = () => {
      for (const socket of [near, server]) socket.end();
    };
    let isOver = false;
    const pass = (from: Message['from'], source: Socket, target: Socket) => {
      const frames = new Frames(from === 'server');
      let turn: Promise<void> = Promise.resolve();
      const take = async (bytes: Buffer) => {
        for (const frame of frames.of(bytes)) {
          if (isOver) return;
          const message = { from, type: frame.type };
          const number = messages.push(message) - 1;
          await options.beforeMessage?.(message, number);
          if (isOver) return;
          const { cut } = options;
          if (cut?.at !== number) {
            send(target, frame.bytes, options.splits);
            continue;
          }
          isOver = true;
          wasCut = true;
          isAway = options.staysAway ?? false;
          if (cut.how === 'after') target.write(frame.bytes);
          if (cut.how === 'within')
            target.write(frame.bytes.subarray(0, Math.ceil(frame.bytes.length / 2)));
          end();
        }
      };
      source.on('data', (bytes) => {
        turn = turn.then(() => take(bytes as Buffer));
      });
      source.on('end', () => {
        turn = turn.then(() => void target.end());
      });
    };
    pass('gw', near, server);
    pass('server', server, near);
  };

  const server = net.createServer({ allowHalfOpen: true }, connect);
  await new Promise<void>((resolve) => {
    server.listen(path.join(folder, `.s.PGSQL.${PORT}`), resolve);
  });
  const goAway = () => {
    isAway = true;
    for (const socket of open) socket.destroy();
  };
  return {
    url: `postgres://${address.user}@/${address.database}?host=${encodeURIComponent(folder)}&port=${PORT}`,
    messages,
    options,
    hasCut: () => wasCut,
    comeBack() {
      isAway = false;
    },
    goAway,
    async close() {
      goAway();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function send(target: Socket, bytes: Buffer, splits = false): void {
  if (!splits) return void target.write(bytes);
  for (const byte of bytes) target.write(Buffer.of(byte));
}

/** Cuts a stream into messages: a letter and a length, but for the first one of a client. */
class Frames {
  #rest: Buffer = Buffer.alloc(0);
  #hasBegun: boolean;

  constructor(hasBegun: boolean) {
    this.#hasBegun = hasBegun;
  }

  *of(bytes: Buffer): Generator<{ type: string; bytes: Buffer }> {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    for (;;) {
      const head = this.#hasBegun ? HEAD_BYTES : HEAD_BYTES - 1;
      if (this.#rest.length < head) return;
      const length = this.#rest.readInt32BE(head - 4) + (this.#hasBegun ? 1 : 0);
      if (this.#rest.length < length) return;
      const frame = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
      yield { type: this.#hasBegun ? String.fromCharCode(frame[0] ?? 0) : 'startup', bytes: frame };
      this.#hasBegun = true;
    }
  }
}
