/**
 * Just enough of a D-Bus client to ask a service of the session a question: connect to a Unix
 * socket, authenticate as this user, call a method, read its reply. D-Bus Specification 0.43,
 * "Message Protocol", "Authentication Protocol" and "Marshaling".
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
  /** Types of the arguments, and the arguments. */
  takes: string;
  arguments: readonly DBusValue[];
  /** Types of the values that are replied. */
  returns: string;
}

/** A variant is its type and its value; a struct, a dictionary's entry and an array are lists. */
export type DBusValue = string | number | boolean | Buffer | readonly DBusValue[];

export interface DBus {
  /** @returns what is replied; undefined for an error, other types than expected, or no connection any more */
  call(call: DBusCall): Promise<readonly DBusValue[] | undefined>;
  close(): void;
}

type Env = Readonly<Record<string, string | undefined>>;

const METHOD_CALL = 1;
const METHOD_RETURN = 2;
const ERROR = 3;
const NO_AUTO_START = 2;
const LITTLE_ENDIAN = 'l'.charCodeAt(0);
const PROTOCOL = 1;
const MAX_MESSAGE_BYTES = 1024 * 1024;
/** Byte order, kind, flags, protocol, bytes of the body, serial, fields. */
const HEADER = 'yyyyuua(yv)';
const FIELDS_LENGTH_AT = 12;
const FIELD = { path: 1, interface: 2, member: 3, destination: 6, signature: 8 };

/** @returns the session's bus, or undefined when it cannot be reached; it closes after `timeoutMs` */
export async function connectToSessionBus(env: Env, timeoutMs: number): Promise<DBus | undefined> {
  const socketPath = sessionBusPath(env);
  if (socketPath === undefined) return undefined;
  const socket = connect(socketPath);
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  socket.on('error', () => undefined).on('close', () => clearTimeout(timer));
  const chunks = socket[Symbol.asyncIterator]();
  let received: Buffer = Buffer.alloc(0);

  /** Waits until `take` finds what it wants at the beginning of what has come. */
  const receive = async <T>(take: (bytes: Buffer) => { value: T; bytes: number } | undefined) => {
    for (;;) {
      const taken = take(received);
      if (taken) {
        received = received.subarray(taken.bytes);
        return taken.value;
      }
      const { value: chunk, done } = await chunks.next().catch(() => ({ value: '', done: true }));
      if (done || received.length > MAX_MESSAGE_BYTES) return undefined;
      received = Buffer.concat([received, chunk]);
    }
  };

  let serial = 0;
  const bus: DBus = {
    async call(call) {
      socket.write(encodeCall(call, ++serial));
      for (;;) {
        const message = await receive(takeMessage);
        if (!message || message.kind === ERROR) return undefined;
        if (message.kind === METHOD_RETURN)
          return message.signature === call.returns ? message.values() : undefined;
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
  const hello = { destination: name, path: '/org/freedesktop/DBus', interface: name };
  await bus.call({ ...hello, member: 'Hello', takes: '', arguments: [], returns: 's' });
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

function encodeCall(call: DBusCall, serial: number): Buffer {
  const body = encode(call.takes, call.arguments);
  const flags = call.destination === 'org.freedesktop.DBus' ? 0 : NO_AUTO_START;
  const fields = [
    [FIELD.path, ['o', call.path]],
    [FIELD.interface, ['s', call.interface]],
    [FIELD.member, ['s', call.member]],
    [FIELD.destination, ['s', call.destination]],
    ...(call.takes === '' ? [] : [[FIELD.signature, ['g', call.takes]]]),
  ];
  const start = [LITTLE_ENDIAN, METHOD_CALL, flags, PROTOCOL, body.length, serial];
  const header = encode(HEADER, [...start, fields]);
  return Buffer.concat([header, Buffer.alloc(-header.length & 7), body]);
}

function takeLine(bytes: Buffer): { value: string; bytes: number } | undefined {
  const end = bytes.indexOf('\r\n');
  return end === -1 ? undefined : { value: bytes.toString('latin1', 0, end), bytes: end + 2 };
}

interface Message {
  kind: DBusValue | undefined;
  signature: DBusValue;
  values(): DBusValue[];
}

function takeMessage(bytes: Buffer): { value: Message; bytes: number } | undefined {
  if (bytes.length < FIELDS_LENGTH_AT + 4) return undefined;
  const fieldBytes = new Reader(bytes, FIELDS_LENGTH_AT).value('u');
  const bodyStart = Math.ceil((FIELDS_LENGTH_AT + 4 + Number(fieldBytes)) / 8) * 8;
  const total = bodyStart + Number(new Reader(bytes, 4).value('u'));
  if (bytes.length < total) return undefined;
  const [order, kind, , , , , fields] = new Reader(bytes).values(HEADER);
  const found = (fields as [number, DBusValue][]).find(([code]) => code === FIELD.signature);
  const signature = found?.[1] ?? '';
  const body = new Reader(bytes.subarray(bodyStart, total), 0, order === LITTLE_ENDIAN);
  return {
    value: { kind, signature, values: () => body.values(String(signature)) },
    bytes: total,
  };
}

/** @returns the types of a signature, each whole: `a{ss}` and `(oay)` are one */
function typesOf(signature: string): string[] {
  const types: string[] = [];
  let depth = 0;
  let type = '';
  for (const code of signature) {
    type += code;
    if (code === '(' || code === '{') depth++;
    else if (code === ')' || code === '}') depth--;
    if (depth > 0 || code === 'a') continue;
    types.push(type);
    type = '';
  }
  return types;
}

/** @returns on a multiple of how many bytes a value of the type begins */
function alignmentOf(type: string): number {
  return /^[({]/.test(type) ? 8 : /^[ygv]/.test(type) ? 1 : 4;
}

function encode(signature: string, values: readonly DBusValue[]): Buffer {
  const writer = new Writer();
  writer.addAll(signature, values);
  return Buffer.from(writer.bytes);
}

/** Little-endian, aligned from the beginning. */
class Writer {
  readonly bytes: number[] = [];

  addAll(signature: string, values: DBusValue | undefined): void {
    for (const [i, type] of typesOf(signature).entries())
      this.#add(type, (values as DBusValue[])[i]);
  }

  #add(type: string, value: DBusValue | undefined): void {
    this.#align(type);
    if (type === 'y') this.bytes.push(Number(value));
    else if (type === 'u') this.bytes.push(...uint32(Number(value)));
    else if (type === 'v') this.addAll(`g${(value as DBusValue[])[0]}`, value);
    else if (type.startsWith('a')) this.#addArray(type.slice(1), value as DBusValue[]);
    else if (/^[({]/.test(type)) this.addAll(type.slice(1, -1), value);
    else {
      const length = Buffer.byteLength(String(value));
      this.bytes.push(...(type === 'g' ? [length] : uint32(length)), ...Buffer.from(`${value}\0`));
    }
  }

  #addArray(type: string, items: readonly DBusValue[]): void {
    const at = this.bytes.push(0, 0, 0, 0) - 4;
    this.#align(type);
    const start = this.bytes.length;
    for (const item of items) this.#add(type, item);
    this.bytes.splice(at, 4, ...uint32(this.bytes.length - start));
  }

  #align(type: string): void {
    while (this.bytes.length % alignmentOf(type) !== 0) this.bytes.push(0);
  }
}

function uint32(value: number): number[] {
  return [value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24];
}

/** Reads what a Writer has written, in either byte order. */
class Reader {
  readonly #bytes: Buffer;
  readonly #isLittleEndian: boolean;
  #offset: number;

  constructor(bytes: Buffer, offset = 0, isLittleEndian = bytes[0] === LITTLE_ENDIAN) {
    this.#bytes = bytes;
    this.#offset = offset;
    this.#isLittleEndian = isLittleEndian;
  }

  values(signature: string): DBusValue[] {
    return typesOf(signature).map((type) => this.value(type));
  }

  value(type: string): DBusValue {
    this.#align(type);
    if (type === 'y') return this.#bytes[this.#offset++] ?? 0;
    if (type === 'u') return this.#uint32();
    if (type === 'b') return this.#uint32() === 1;
    if (type === 'v') return this.value(String(this.value('g')));
    if (type.startsWith('a')) return this.#array(type.slice(1));
    if (/^[({]/.test(type)) return this.values(type.slice(1, -1));
    const length = type === 'g' ? Number(this.value('y')) : this.#uint32();
    const start = this.#offset;
    this.#offset += length + 1;
    return this.#bytes.toString('utf8', start, start + length);
  }

  #array(type: string): DBusValue {
    const length = this.#uint32();
    this.#align(type);
    const start = this.#offset;
    const end = start + length;
    if (type === 'y') {
      this.#offset = end;
      return this.#bytes.subarray(start, end);
    }
    const items: DBusValue[] = [];
    while (this.#offset < end) items.push(this.value(type));
    return items;
  }

  #uint32(): number {
    const at = this.#offset;
    this.#offset += 4;
    return this.#isLittleEndian ? this.#bytes.readUInt32LE(at) : this.#bytes.readUInt32BE(at);
  }

  #align(type: string): void {
    this.#offset = Math.ceil(this.#offset / alignmentOf(type)) * alignmentOf(type);
  }
}
