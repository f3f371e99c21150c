/**
 * Loads the files of `dist`, and keeps the code that V8 compiled for the next start of the same command. Compiling took
 * a quarter of a look-up.
 *
 * Node has a compile cache too. It holds only what is compiled while a file loads. This one is written when a command
 * ends, so it also holds the functions that the command called.
 *
 * V8 runs the code that it is given: with one wrong byte, it may crash. So a cache file has a checksum, and one of the
 * source of each file. If one is wrong, or somebody else may write to the file, gw compiles the sources and writes the
 * file again. A copy of all, to compare, took three times as long to read. NODE_DISABLE_COMPILE_CACHE=1 turns the cache
 * off. So do options of Node, because V8 rejects code that was compiled with others.
 *
 * Tests: test/unit/host/command-names.test.ts, test/system/code-cache.test.ts
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { Script } from 'node:vm';
import { directoryOf, findExposed, PRIVATE_FILE, PRIVATE_FOLDER } from './files/folders.ts';

/** Loads a file of `dist`, such as `start.cjs`, and returns its exports. */
export interface Load {
  (name: string): unknown;
  /**
   * Opens every file that may still be loaded, because an update may replace them while a request is under way. The
   * outcome has to be recorded and printed even then. To read them all would take a sixth of the time of a purchase.
   * It is called once.
   * @returns false if an update has replaced them already
   */
  keepAll(): boolean;
}

export interface CommandNames {
  isCommand(words: readonly string[]): boolean;
  /** @returns whether the names of several commands begin with these words */
  isTopic(words: readonly string[]): boolean;
}

/** A word of a name. Others are not looked for, because they may lead out of the folder. */
const WORD = /^[a-z][a-z-]*$/;

/** @param root folder of `dist`, where the flags of `purchase get` are in `flags/purchase/get.json` */
export function commandNames(root: string): CommandNames {
  const exists = (words: readonly string[], ending: string) =>
    words.length > 0 &&
    words.every((word) => WORD.test(word)) &&
    existsSync(`${join(root, 'dist/flags', ...words)}${ending}`);
  return {
    isCommand: (words) => exists(words, '.json'),
    isTopic: (words) => exists(words, ''),
  };
}

type Crc32 = (bytes: Buffer) => number;

interface Compiled {
  /** The checksum of the source. */
  source: number;
  code: Buffer;
}

/** The folder of what several commands load. */
const CHUNKS = 'chunks';

/** Fewer bytes than a file name may have. */
const MAX_NAME = 200;

/**
 * @param root folder of package.json and `dist`
 * @param command the name of its code in the cache, without other words of argv: they may name a customer
 * @param require loads what is not in `dist`: packages and the modules of Node
 */
export function createLoader(root: string, command: string, require: NodeJS.Require): Load {
  const dist = join(root, 'dist');
  const file = cacheFile(root, command);
  // `gw --version`, which loads this file too, does without.
  const { crc32 }: Pick<typeof import('node:zlib'), 'crc32'> = require('node:zlib');
  // In a clone, Node's own loader shows places in `src`. It keeps nothing.
  if (/--enable-source-maps\b/.test(optionsOf(process)) && existsSync(join(dist, 'main.cjs.map')))
    return Object.assign((name: string) => require(join(dist, name)), { keepAll: () => true });

  const cached: ReadonlyMap<string, Compiled> =
    file === undefined ? new Map() : readCache(file, crc32);
  const loaded = new Map<string, { source: number; script: Script }>();
  let isNew = false;
  process.once('exit', (code) => {
    if (!isNew || code !== 0 || file === undefined) return;
    // Keep what other runs of the command loaded, but not the files of an older gw.
    const others = [...cached].filter(([name]) => existsSync(join(dist, name)));
    writeCache(file, { all: new Map(others), loaded, crc32 });
  });

  const modules = new Map<string, { exports: unknown }>();
  let kept: ReadonlyMap<string, Buffer | number> = new Map();
  return Object.assign(load, { keepAll });

  function keepAll(): boolean {
    const names = chunksIn(dist);
    const left = names.filter((name) => !modules.has(name));
    kept = held(dist, left);
    return [...modules.keys()].every((name) => dirname(name) !== CHUNKS || names.includes(name));
  }

  function load(name: string): unknown {
    const known = modules.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    const filename = join(dist, name);
    const from = kept.get(name) ?? filename;
    const source = Buffer.isBuffer(from) ? from : readFileSync(from);
    const checksum = crc32(source);
    const before = cached.get(name);
    const cachedData = before?.source === checksum ? before.code : undefined;
    const script = new Script(
      `(function (exports, require, module, __filename, __dirname) {${source}\n})`,
      { filename, ...(cachedData && { cachedData }) },
    );
    if (!cachedData || script.cachedDataRejected) isNew = true;
    loaded.set(name, { source: checksum, script });
    const requireFrom = (id: string) =>
      id.startsWith('.') ? load(join(dirname(name), id)) : require(id);
    requireFrom.resolve = require.resolve;
    const wrapped = script.runInThisContext();
    wrapped(module.exports, requireFrom, module, filename, dirname(filename));
    return module.exports;
  }
}

function chunksIn(dist: string): string[] {
  const folder = join(dist, CHUNKS);
  const found = existsSync(folder) ? readdirSync(folder) : [];
  return found.filter((name) => name.endsWith('.cjs')).map((name) => CHUNKS + sep + name);
}

/** @returns open files; their contents where a process may not have so many open */
function held(dist: string, names: readonly string[]): Map<string, Buffer | number> {
  const files = new Map<string, number>();
  try {
    for (const name of names) files.set(name, openSync(dist + sep + name, 'r'));
    return files;
  } catch {
    for (const file of files.values()) closeSync(file);
    return new Map(names.map((name) => [name, readFileSync(join(dist, name))]));
  }
}

function optionsOf({ env, execArgv }: NodeJS.Process): string {
  return [env.NODE_OPTIONS ?? '', ...execArgv].join(' ').trim();
}

/** @returns undefined if there is to be no cache, or no place for it where only this user writes */
function cacheFile(root: string, command: string): string | undefined {
  const { env, platform } = process;
  if (env.NODE_DISABLE_COMPILE_CACHE || optionsOf(process) !== '') return;
  try {
    // Two copies of gw would each take the other's files for changed ones.
    const copy = encodeURIComponent(root).slice(-MAX_NAME);
    const cache = directoryOf('cache', env, platform);
    if (cache === undefined) return undefined;
    const directory = join(cache, 'compiled', copy);
    const file = join(directory, `${command}-${process.version}-${process.arch}`);
    const { open, foreign } = findExposed([directory, file]);
    return open.length + foreign.length === 0 ? file : undefined;
  } catch {
    return undefined;
  }
}

/** @returns by name of the file; empty if anything about the cache is odd */
function readCache(file: string, crc32: Crc32): Map<string, Compiled> {
  try {
    const all = readFileSync(file);
    const bytes = all.subarray(CHECKSUM);
    if (all.readUInt32LE() !== crc32(bytes)) return new Map();
    let at = bytes.indexOf('\n') + 1;
    const { writer, files } = JSON.parse(bytes.toString('utf8', 0, at));
    if (writer !== WRITER) return new Map();
    const compiled = new Map<string, Compiled>();
    for (const [name, source, length] of files) {
      compiled.set(name, { source, code: bytes.subarray(at, at + length) });
      at += length;
    }
    return compiled;
  } catch {
    return new Map();
  }
}

/** Bytes of the checksum with which a cache file begins. */
const CHECKSUM = 4;

/** V8 rejects code of another version itself. This also tells processors apart. */
const WRITER = `${process.version} ${process.arch} ${process.versions.v8}`;

interface Written {
  /** Changes: what was loaded is added. */
  all: Map<string, Compiled>;
  loaded: ReadonlyMap<string, { source: number; script: Script }>;
  crc32: Crc32;
}

function writeCache(file: string, { all, loaded, crc32 }: Written): void {
  const aside = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
    writeFileSync(aside, '', { mode: PRIVATE_FILE, flag: 'wx' });
  } catch {
    // Where gw may not write, it starts a little slower, and should not collect code each time.
    return;
  }
  for (const [name, { source, script }] of loaded)
    all.set(name, { source, code: script.createCachedData() });
  const files = [...all].map(([name, { source, code }]) => [name, source, code.length]);
  const header = Buffer.from(`${JSON.stringify({ writer: WRITER, files })}\n`);
  const bytes = Buffer.concat([header, ...[...all.values()].map(({ code }) => code)]);
  const checksum = Buffer.alloc(CHECKSUM);
  checksum.writeUInt32LE(crc32(bytes));
  try {
    writeFileSync(aside, Buffer.concat([checksum, bytes]));
    renameSync(aside, file);
  } catch {
    rmSync(aside, { force: true });
  }
}
