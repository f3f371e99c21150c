/**
 * Just enough of a D-Bus client to ask a service of the session a question: connect to a Unix
 * socket, authenticate as this user, call a method, read its reply. D-Bus Specification 0.43,
 * "Message Protocol" and "Authentication Protocol".
 *
 * One call at a time, so the next return or error is its reply; signals are passed over. The bus
 * itself refuses malformed messages, so what comes is well-formed. When the connection ends, at the
 * time limit too, calls answer undefined.
 */
import { connect } from 'node:net';

export interface DBusCall {
  destination: string;
  path: string;
  interface: string;
  member: string;
  arguments: readonly DBusArgument[];
}

export type DBusArgument =
  | { signature: 's' | 'o'; value: string }
  /** A variant that holds a string. */
  | { signature: 'v'; value: string }
  | { signature: 'a{ss}'; value: Readonly<Record<string, string>> };

export interface DBus {
  /** @returns the reply, or undefined when there is none: an error, or no connection any more */
  call(call: DBusCall): Promise<DBusReply | undefined>;
  close(): void;
}

/** Values are read in the order of the signature. */
export interface DBusReply {
  readonly signature: string;
  readString(): string;
  readSignature(): string;
  readUint32(): number;
  /** Reads an array of strings or object paths. */
  readStrings(): string[];
  readBytes(): Buffer;
  /** Goes to where a struct begins. */
  enterStruct(): void;
}

type Env = Readonly<Record<string, string | undefined>>;

const METHOD_CALL = 1;
const METHOD_RETURN = 2;
const ERROR = 3;
const NO_AUTO_START = 2;
const LITTLE_ENDIAN = 'l'.charCodeAt(0);
const MAX_MESSAGE_BYTES = 1024 * 1024;

export const dbusString = (value: string): DBusArgument => ({ signature: 's', value });
export const dbusPath = (value: string): DBusArgument => ({ signature: 'o', value });
export const dbusVariant = (value: string): DBusArgument => ({ signature: 'v', value });

/** @returns the session's bus, or undefined when it cannot be reached; it closes after `timeoutMs` */
export async function connectToSessionBus(env: Env, timeoutMs: number): Promise<DBus | undefined> {
  const socketPath = sessionBusPath(env);
  if (socketPath === undefined) return undefined;
  const socket = connect(socketPath);
  const timer = setTimeout(() => socket.destroy(), timeoutMs);

  let received: Buffer = Buffer.alloc(0);
  let wake: () => void = () => undefined;
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    if (received.length > MAX_MESSAGE_BYTES) socket.destroy();
    wake();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearTimeout(timer);
    wake();
  });

  /** Waits until `take` finds what it wants at the beginning of what has come. */
  const receive = async <T>(take: (bytes: Buffer) => { value: T; bytes: number } | undefined) => {
    for (;;) {
      const taken = take(received);
      if (taken) {
        received = received.subarray(taken.bytes);
        return taken.value;
      }
      if (socket.destroyed) return undefined;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };

  let serial = 0;
  const bus: DBus = {
    async call(call) {
      socket.write(encodeCall(call, ++serial));
      for (;;) {
        const message = await receive(takeMessage);
        if (!message || message.type === ERROR) return undefined;
        if (message.type === METHOD_RETURN) return message.reply;
      }
    },
    close: () => socket.destroy(),
  };

  const uid = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex');
  socket.write(`\0AUTH EXTERNAL ${uid}\r\n`);
  const answer = await receive(takeLine);
  if (!answer?.startsWith('OK ')) {
    bus.close();
    return undefined;
  }
  socket.write('BEGIN\r\n');
  const name = 'org.freedesktop.DBus';
  const path = '/org/freedesktop/DBus';
  await bus.call({ destination: name, path, interface: name, member: 'Hello', arguments: [] });
  return bus;
}

/**
 * The first Unix socket of DBUS_SESSION_BUS_ADDRESS; without the variable the one that systemd
 * makes. Other transports are not spoken.
 */
export function sessionBusPath(env: Env): string | undefined {
  const runtimeBus = env.XDG_RUNTIME_DIR ? `${env.XDG_RUNTIME_DIR}/bus` : undefined;
  if (!env.DBUS_SESSION_BUS_ADDRESS) return runtimeBus;
  const pairs = env.DBUS_SESSION_BUS_ADDRESS.split(';').flatMap(
    (address) => /^unix:(.*)$/.exec(address)?.[1]?.split(',') ?? [],
  );
  for (const pair of pairs) {
    const [, key, value = ''] = /^(\w+)=(.*)$/.exec(pair) ?? [];
    if (key === 'path') return unescapeAddress(value);
    if (key === 'abstract') return `\0${unescapeAddress(value)}`;
    if (key === 'runtime') return runtimeBus;
  }
  return undefined;
}

function unescapeAddress(value: string): string {
  return value.replace(/%([0-9a-fA-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
}

/** Builds what D-Bus calls a marshalled value: little-endian, aligned from the beginning. */
class Writer {
  #bytes: number[] = [];

  get length(): number {
    return this.#bytes.length;
  }

  align(multiple: number): this {
    while (this.#bytes.length % multiple !== 0) this.#bytes.push(0);
    return this;
  }

  byte(value: number): this {
    this.#bytes.push(value);
    return this;
  }

  uint32(value: number): this {
    this.align(4);
    this.#bytes.push(value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24);
    return this;
  }

  string(value: string): this {
    const bytes = Buffer.from(value);
    this.uint32(bytes.length);
    this.#bytes.push(...bytes, 0);
    return this;
  }

  signature(value: string): this {
    this.#bytes.push(value.length, ...Buffer.from(value), 0);
    return this;
  }

  /** An array whose elements begin on a multiple of eight. */
  array8(write: (writer: this) => void): this {
    this.uint32(0);
    const at = this.length - 4;
    this.align(8);
    const start = this.length;
    write(this);
    const length = this.length - start;
    for (let i = 0; i < 4; i++) this.#bytes[at + i] = (length >> (8 * i)) & 255;
    return this;
  }

  toBuffer(): Buffer {
    return Buffer.from(this.#bytes);
  }
}

function encodeCall(call: DBusCall, serial: number): Buffer {
  const body = new Writer();
  for (const argument of call.arguments) {
    if (argument.signature === 's' || argument.signature === 'o') body.string(argument.value);
    else if (argument.signature === 'v') body.signature('s').string(argument.value);
    else {
      body.array8((array) => {
        for (const [key, value] of Object.entries(argument.value)) {
          array.align(8).string(key).string(value);
        }
      });
    }
  }
  const signature = call.arguments.map((argument) => argument.signature).join('');
  const flags = call.destination === 'org.freedesktop.DBus' ? 0 : NO_AUTO_START;
  const message = new Writer()
    .byte(LITTLE_ENDIAN)
    .byte(METHOD_CALL)
    .byte(flags)
    .byte(1)
    .uint32(body.length)
    .uint32(serial)
    .array8((fields) => {
      fields.align(8).byte(1).signature('o').string(call.path);
      fields.align(8).byte(2).signature('s').string(call.interface);
      fields.align(8).byte(3).signature('s').string(call.member);
      fields.align(8).byte(6).signature('s').string(call.destination);
      if (signature) fields.align(8).byte(8).signature('g').signature(signature);
    })
    .align(8);
  return Buffer.concat([message.toBuffer(), body.toBuffer()]);
}

function takeLine(bytes: Buffer): { value: string; bytes: number } | undefined {
  const end = bytes.indexOf('\r\n');
  return end === -1 ? undefined : { value: bytes.toString('latin1', 0, end), bytes: end + 2 };
}

function takeMessage(
  bytes: Buffer,
): { value: { type: number; reply: DBusReply }; bytes: number } | undefined {
  if (bytes.length < 16) return undefined;
  const header = new Reader(bytes);
  const type = bytes[1]!;
  const bodyBytes = header.at(4).readUint32();
  const fieldsEnd = 16 + header.at(12).readUint32();
  const bodyStart = Math.ceil(fieldsEnd / 8) * 8;
  const total = bodyStart + bodyBytes;
  if (bytes.length < total) return undefined;
  const signature = bodyBytes === 0 ? '' : header.at(16).findSignature(fieldsEnd);
  const body = new Reader(bytes.subarray(bodyStart, total), bytes[0], signature);
  return { value: { type, reply: body }, bytes: total };
}

class Reader implements DBusReply {
  readonly signature: string;
  readonly #bytes: Buffer;
  readonly #isLittleEndian: boolean;
  #offset = 0;

  constructor(bytes: Buffer, endianness = bytes[0], signature = '') {
    this.#bytes = bytes;
    this.#isLittleEndian = endianness === LITTLE_ENDIAN;
    this.signature = signature;
  }

  at(offset: number): this {
    this.#offset = offset;
    return this;
  }

  align(multiple: number): this {
    this.#offset = Math.ceil(this.#offset / multiple) * multiple;
    return this;
  }

  readUint32(): number {
    const start = this.align(4).#offset;
    this.#offset = start + 4;
    return this.#isLittleEndian ? this.#bytes.readUInt32LE(start) : this.#bytes.readUInt32BE(start);
  }

  readString(): string {
    const length = this.readUint32();
    const start = this.#offset;
    this.#offset = start + length + 1;
    return this.#bytes.toString('utf8', start, start + length);
  }

  readSignature(): string {
    const start = this.#offset + 1;
    const length = this.#bytes[this.#offset]!;
    this.#offset = start + length + 1;
    return this.#bytes.toString('latin1', start, start + length);
  }

  readStrings(): string[] {
    const length = this.readUint32();
    const end = this.#offset + length;
    const strings: string[] = [];
    while (this.#offset < end) strings.push(this.readString());
    return strings;
  }

  readBytes(): Buffer {
    const length = this.readUint32();
    const start = this.#offset;
    this.#offset += length;
    return this.#bytes.subarray(start, this.#offset);
  }

  enterStruct(): void {
    this.align(8);
  }

  /** Reads header fields up to the one that says what the body consists of. */
  findSignature(end: number): string {
    while (this.align(8).#offset < end) {
      const code = this.#bytes[this.#offset++];
      const type = this.readSignature();
      if (code === 8) return this.readSignature();
      if (type === 'u') this.readUint32();
      else this.readString();
    }
    return '';
  }
}
