/**
 * Creates the real host. This is cheap: streams and directories are examined only when used. Rare parts (keychain,
 * prompts, other programs, replays) are loaded when needed.
 */

import { realpathSync } from 'node:fs';
import { hostname, uptime, userInfo } from 'node:os';
import { join } from 'node:path';
import { trimText } from '../base/clean-text.ts';
import { EXIT_DEFECT } from '../failure.ts';
import { exit, listenForInterrupts } from './ending.ts';
import { createFiles, readNamed } from './files/files.ts';
import { createInput } from './files/input.ts';
import type { Clock, Host, Jq, Keychain, Output, Prompts, User } from './host.ts';
import { createProcesses } from './processes.ts';
import { escapeHidden } from './redaction/safe.ts';
import { SECRET_VARIABLES } from './secret-variables.ts';
import { createOutput, createPager, withWrite } from './terminal/output.ts';
import { endOfTurn } from './turn.ts';
import { version, versionText } from './version.ts';

type Scrub = (text: string) => string;

interface Guard extends Record<'stdout' | 'stderr', Scrub>, Pick<Host, 'hide' | 'pass'> {
  /** Formats a message of gw for stderr. */
  lay(text: string, output: Output): string;
}

/**
 * Creates the host of this process, once, because it listens to signals and the standard streams.
 * @param scrub filters everything printed; `hide` registers a text to remove, `pass` a record whose identifiers stay
 * @param asksPlain whether the command line has `--plain`
 * @param root folder of the program
 */
export function createHost(scrub?: Guard, asksPlain = false, root = ''): Host {
  const env = trimVariables(process.env);
  nameTimeZone(env);
  // Delete it before oclif is loaded, because oclif's debug output shows the command line, including a CVV.
  delete env.DEBUG;
  if (scrub) {
    guardStream(process.stdout, process.stdout.isTTY ? onScreen(scrub.stdout) : scrub.stdout);
    guardStream(process.stderr, onScreen(scrub.stderr));
  }
  // If the event loop runs empty too early, the program must not report success.
  process.exitCode = EXIT_DEFECT;
  // Wrap both at once. Other code (oclif) writes to them too, and would crash on a closed pipe.
  const stdout = createOutput(process.stdout, env, asksPlain);
  const ownStderr = droppingErrors(createOutput(process.stderr, env, asksPlain));
  const stderr = withWrite(ownStderr, (text) =>
    ownStderr.write(scrub?.lay(text, ownStderr) ?? text),
  );
  const { paged, endPaged, isOpen } = createPager({
    stdout,
    env,
    interrupted: () => interrupted,
    scrub: onScreen(scrub?.stdout ?? ((text) => text)),
  });
  const interrupted = listenForInterrupts(isOpen);
  return {
    env,
    get stdin() {
      return createInput(process.stdin, interrupted);
    },
    stdout,
    stderr,
    paged,
    endPaged,
    clock: createClock(),
    files: createFiles(env),
    keychain: lazyKeychain(interrupted),
    prompts: lazyPrompts(stderr, interrupted),
    shell: {
      async run(...asked) {
        const { createShell } = await import('./programs/shell.ts');
        return createShell(interrupted).run(...asked);
      },
    },
    jq: lazyJq(root),
    get processes() {
      return createProcesses();
    },
    get user() {
      return currentUser();
    },
    readNamed: (path, maxBytes) => readNamed(path, maxBytes, interrupted),
    hide: (secret) => scrub?.hide(secret),
    pass: (record) => scrub?.pass(record),
    endOfTurn,
    version,
    versionText,
    interrupted,
    exit,
  };
}

/** Escapes hidden characters for the reader, no matter who wrote the text. */
function onScreen(scrub: Scrub): Scrub {
  return (text) => escapeHidden(scrub(text));
}

/** Ignores errors on stderr, which has only commentary. If it cannot be written, that changes nothing else. */
function droppingErrors(output: Output): Output {
  return withWrite(output, (text) => output.write(text).catch(() => undefined));
}

/** Node's longest timer delay; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** @returns the clock of the machine */
export function createClock(): Clock {
  // On Linux, `performance.now` does not count the time that a machine sleeps.
  return { now: () => new Date(), uptimeMs: () => uptime() * 1000, sleep };
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (!(ms <= MAX_TIMER_MS)) throw new RangeError(`cannot sleep for ${ms} ms`);
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/**
 * Trims gw's variables and TZ as all texts: a file of variables with Windows line ends leaves one at each value. Secrets
 * stay as they are, because blanks at their ends are refused.
 * @returns the same object
 */
export function trimVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  for (const [name, value = ''] of Object.entries(env))
    if (/^(?:GW_|TZ$)/.test(name) && !SECRET_VARIABLES.includes(name)) env[name] = trimText(value);
  return env;
}

/**
 * Replaces a path in TZ by the name of its zone. The C library reads both, and Node reads paths as UTC.
 * @param env of this process, before anything asks for the time zone
 */
export function nameTimeZone(env: NodeJS.ProcessEnv): void {
  if (env.TZ === undefined) return;
  let path = env.TZ.replace(/^:/, '');
  try {
    if (path.startsWith('/')) path = realpathSync(path);
  } catch {
    // Node knows many zones whose files this system does not have.
  }
  // A copy of the system's zone tells no name, but Node finds it where TZ is not set.
  if (path === '/etc/localtime') delete env.TZ;
  else env.TZ = path.replace(/^(?:.*\/zoneinfo(?:\.default)?\/)?(?:(?:posix|right)\/)?/, '');
}

/**
 * Passes everything written to the stream through `scrub`, whether gw, oclif, a prompt, a library or Node writes it.
 * `scrub` can only find a text that one write contains completely.
 */
export function guardStream(
  stream: Pick<NodeJS.WritableStream, 'write'>,
  scrub: (text: string) => string,
): void {
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  stream.write = (chunk: unknown, ...rest: unknown[]): boolean => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString();
    const scrubbed = scrub(text);
    return write(scrubbed === text ? chunk : scrubbed, ...rest);
  };
}

const JQ_PROGRAM = 'dist/jq-worker.cjs';

/**
 * @param root folder of the program
 * @returns jq, loaded on its first run
 */
function lazyJq(root: string): Jq {
  let loaded: Promise<Jq> | undefined;
  const load = async () => {
    const { createJq } = await import('./jq/jq-thread.ts');
    return createJq(join(root, JQ_PROGRAM));
  };
  return {
    async run(...run) {
      loaded ??= load();
      return (await loaded).run(...run);
    },
  };
}

/** @returns the keychain of this system, loaded when first asked */
function lazyKeychain(interrupted: AbortSignal): Keychain {
  const keychain = async () => {
    const { createKeychain } = await import('./keychain.ts');
    return createKeychain({ interrupted });
  };
  return {
    name: keychainName(process.platform),
    get: async (account) => (await keychain()).get(account),
    peek: async (account) => (await keychain()).peek(account),
    set: async (account, secret) => (await keychain()).set(account, secret),
    delete: async (account) => (await keychain()).delete(account),
  };
}

function keychainName(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return 'the macOS Keychain';
  return platform === 'win32' ? 'the Windows Credential Manager' : 'the Secret Service';
}

/** @returns the prompts of this terminal, loaded with the first question */
function lazyPrompts(stderr: Output, interrupted: AbortSignal): Prompts {
  let loaded: Promise<Prompts> | undefined;
  const prompts = () => {
    loaded ??= import('./prompts.ts').then(
      ({ TerminalPrompts }) => new TerminalPrompts(process.stdin, stderr, interrupted),
    );
    return loaded;
  };
  return {
    text: async (...asked) => (await prompts()).text(...asked),
    hidden: async (...asked) => (await prompts()).hidden(...asked),
    select: async (...asked) => (await prompts()).select(...asked),
    confirm: async (...asked) => (await prompts()).confirm(...asked),
  };
}

let user: User | undefined;

/** The system is asked once, because a batch needs the answer for each line. */
function currentUser(): User {
  user ??= { name: nameOfUser(), machine: hostname() };
  return user;
}

/** A container may run under a user id that has no name. */
function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
