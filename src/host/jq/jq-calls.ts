/**
 * How jq reads and prints. jq-wasm collects what jq prints until it ends, and reads its input a byte at a
 * time, so its two system calls are replaced on their way into the program. It reads nothing but its input.
 */

/** A system call of WASI: of a file, with parts of memory, and where the sum of their bytes is written to. */
type SystemCall = (file: number, parts: number, count: number, sum: number) => number;

type Functions = Readonly<Record<string, { name: string }>>;

interface Memory {
  readonly buffer: ArrayBuffer;
}

/** What is used of `WebAssembly`, which the types of Node do not have. */
interface Loader {
  instantiate(
    binary: Uint8Array,
    imports: Readonly<Record<string, Functions>>,
  ): Promise<{ instance: { exports: Readonly<Record<string, unknown>> } }>;
  Memory: new () => Memory;
}

declare const WebAssembly: Loader;

/** The system calls that are replaced, by the names of their functions, for a program with this memory. */
export type CallsOf = (memory: () => ArrayBuffer) => Readonly<Record<string, SystemCall>>;

interface Files {
  print(file: number, part: Uint8Array): void;
  /** Fills a part of memory. @returns how many bytes, 0 at the end */
  read(part: Uint8Array): number;
}

const NO_ERROR = 0;
/** Bytes of a part: its place in memory and its length, of four bytes each. */
const PART = 8;

export function callsOf({ print, read }: Files): CallsOf {
  return (memory) => ({
    _fd_write: (file, parts, count, sum) =>
      overParts(memory(), { parts, count, sum }, (part) => {
        print(file, part);
        return part.length;
      }),
    _fd_read: (_file, parts, count, sum) => overParts(memory(), { parts, count, sum }, read),
  });
}

/** Sees to it that the next program of WebAssembly on this thread is given these calls. */
export function replaceSystemCalls(calls: CallsOf): void {
  const { instantiate } = WebAssembly;
  let memory: Memory | undefined;
  const replaced = calls(() => memory?.buffer ?? new ArrayBuffer(0));
  const own = (functions: Functions) => mapped(functions, (one) => replaced[one.name] ?? one);
  WebAssembly.instantiate = async (binary, imports) => {
    const started = await instantiate(binary, mapped(imports, own));
    const { exports } = started.instance;
    memory = Object.values(exports).find((value) => value instanceof WebAssembly.Memory);
    return started;
  };
}

function mapped<T, R>(values: Readonly<Record<string, T>>, change: (value: T) => R) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

/** Goes through parts of memory, until one is not used up. */
function overParts(
  memory: ArrayBuffer,
  { parts, count, sum }: { parts: number; count: number; sum: number },
  use: (part: Uint8Array) => number,
): number {
  const words = new DataView(memory);
  let total = 0;
  for (let i = 0; i < count; i++) {
    const start = words.getUint32(parts + PART * i, true);
    const length = words.getUint32(parts + PART * i + 4, true);
    const used = use(new Uint8Array(memory, start, length));
    total += used;
    if (used < length) break;
  }
  words.setUint32(sum, total, true);
  return NO_ERROR;
}
