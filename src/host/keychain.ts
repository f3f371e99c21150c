/**
 * The keychain of the operating system, through keytar in this process: Keychain, Credential Manager, or a Secret
 * Service on D-Bus (GNOME Keyring, KWallet, KeePassXC).
 *
 * Nothing is loaded before the first call. Each call has a time limit, which leaves a person time to type the
 * keychain's password. keytar's own thread may go on, and `exit` does not wait for it (host/ending.ts). Where Node
 * cannot end past a thread, and somebody may be asked, keytar runs in a process of its own, which gw ends.
 *
 * libsecret reports a locked keychain, or a question that was declined, like an empty one. `look` (secret-service.ts)
 * tells them apart.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Failure, orFailure } from '../failure.ts';
import type { CodeOf } from '../failure-codes.ts';
import { endsPastThreads, mayNeverEnd } from './ending.ts';
import type { Keychain } from './host.ts';
import { limitTo } from './http/limit.ts';
import { asksNobody, lookAt } from './secret-service.ts';
import { environmentOfPrograms, WAYS_WITHOUT_KEYCHAIN } from './secret-variables.ts';

const KEYCHAIN_SERVICE = 'gw';
/** Time for a person to unlock the keychain. */
const UNLOCK_TIMEOUT_MS = 60_000;
const PEEK_TIMEOUT_MS = 5_000;

/** The part of the package that gw uses. */
export interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, secret: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
  /** Ends the calls that wait. */
  end?(): void;
}

export interface KeychainOptions {
  interrupted: AbortSignal;
  /** @throws Failure auth if keytar is missing or does not run */
  load?: () => Keytar;
  look?: typeof lookAt;
  unlockTimeoutMs?: number;
}

/** @returns the keychain, untouched until the first call */
export function createKeychain({
  interrupted,
  load = loadKeytar,
  look = lookAt,
  unlockTimeoutMs = UNLOCK_TIMEOUT_MS,
}: KeychainOptions): Omit<Keychain, 'name'> {
  let keytar: Keytar | undefined;
  const askOnce = <Answer>(call: (keytar: Keytar) => Promise<Answer>, ms: number) => {
    interrupted.throwIfAborted();
    keytar ??= load();
    const { end } = keytar;
    const giveUp = () => {
      end?.();
      keytar = undefined;
    };
    return inTime(call(keytar), { giveUp, ms, interrupted });
  };
  const ask = async <Answer>(call: (keytar: Keytar) => Promise<Answer>, ms = unlockTimeoutMs) => {
    const answer = await orFailure(askOnce(call, ms));
    if (!(answer instanceof Failure)) return answer;
    // KWallet refuses one session in 256, because libsecret leaves out the zero with which its key begins.
    if (answer.code === 'keychain-failed') return askOnce(call, ms);
    throw answer;
  };
  const get = (account: string, ms?: number) =>
    ask(async (keytar) => (await keytar.getPassword(KEYCHAIN_SERVICE, account)) ?? undefined, ms);
  /** Before gw looks, the look-up asks a person to unlock the keychain, and to let gw read the entry. */
  const open = async (account: string) => {
    const before = await get(account);
    const seen = await look(account);
    if (seen.own.length > 0) throw wouldLose(account, seen.own);
    return { before, hasOthers: seen.hasOthers };
  };
  return {
    get: (account) => get(account),
    peek: (account) => get(account, PEEK_TIMEOUT_MS),
    async set(account, secret) {
      const { hasOthers } = await open(account);
      await ask((keytar) => keytar.setPassword(KEYCHAIN_SERVICE, account, secret));
      return { held: await get(account), hasOthers };
    },
    async delete(account) {
      const { before } = await open(account);
      await ask((keytar) => keytar.deletePassword(KEYCHAIN_SERVICE, account));
      const after = await get(account);
      const { isThere, mayHide } = await look(account);
      if (after !== undefined || isThere) throw stays(account);
      if (before === undefined && mayHide) throw mayStay(account);
      return before !== undefined;
    },
  };
}

/** @throws Failure auth if the call fails or takes too long; the reason of `interrupted` */
function inTime<Answer>(
  call: Promise<Answer>,
  { giveUp, ms, interrupted }: { giveUp: () => void; ms: number; interrupted: AbortSignal },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const release = limitTo(ms, interrupted, (reason) => {
      mayNeverEnd(call);
      giveUp();
      reject(interrupted.aborted ? reason : late());
    });
    call.then(resolve, (error: Error) => reject(callFailure(error.message))).finally(release);
  });
}

function loadKeytar(): Keytar {
  const require = createRequire(import.meta.url);
  try {
    const keytar: Keytar = require('keytar');
    return endsPastThreads ? keytar : keytarApart(keytar, require.resolve('keytar'));
  } catch {
    throw loadFailure(require);
  }
}

const APART = `const keytar = require(process.argv[1]);
process.on('message', ([method, ...args]) => keytar[method](...args).then(
  (value) => process.send({ value }), ({ message }) => process.send({ message })));`;

/**
 * One process serves all calls, in turn, because KeePassXC lets a process read. It is not started for a look-up that
 * asks nobody. @param file path of keytar
 */
function keytarApart(keytar: Keytar, file: string): Keytar {
  const ending = new AbortController();
  const { signal } = ending;
  let child: ChildProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const call = (...called: string[]) => {
    const answer = last.then(async () => {
      signal.throwIfAborted();
      child ??= spawn(process.execPath, ['-e', APART, file], {
        env: environmentOfPrograms(),
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        signal,
        killSignal: 'SIGKILL',
      });
      child.send(called);
      const [{ value, message }] = await once(child, 'message');
      if (message !== undefined) throw new Error(message);
      return value;
    });
    last = answer.catch(() => undefined);
    return answer;
  };
  return {
    getPassword: async (service, account) =>
      !child && (await asksNobody(account, signal))
        ? keytar.getPassword(service, account)
        : call('getPassword', service, account),
    setPassword: (...args) => call('setPassword', ...args),
    deletePassword: (...args) => call('deletePassword', ...args),
    end: () => ending.abort(),
  };
}

/** keytar's loader hides why its addon did not load, so gw loads the addon again to find out. */
function loadFailure(require: NodeJS.Require): Failure {
  let cause = '';
  try {
    require(`keytar/prebuilds/${process.platform}-${process.arch}/keytar.node`);
  } catch (error) {
    cause = String((error as Error).message);
  }
  return /libsecret/.test(cause)
    ? failure(
        'keychain-library-missing',
        'The keychain cannot be reached, because the library libsecret is not installed.',
        'Install libsecret (apt install libsecret-1-0, dnf install libsecret, apk add libsecret)',
        cause,
      )
    : failure(
        'keychain-not-runnable',
        'The part of gw that talks to the keychain is not installed, or does not run on this machine.',
        'Install gw again on this machine, without --omit=optional',
        cause,
      );
}

/** For every POSIX shell. The daemon takes all of stdin as the password, and does not unlock one that runs. */
const BY_PASSWORD =
  '`stty -echo; IFS= read -r P; stty echo; printf %s "$P" | gnome-keyring-daemon --replace --unlock >/dev/null; unset P`';
const OVER_SSH = `over ssh: ${BY_PASSWORD}`;
const UNLOCK = `Unlock it and try again (a desktop asks for its password; ${OVER_SSH})`;

const NO_SERVICE =
  /autolaunch|could not connect|connection refused|not provided by any \.service|ServiceUnknown|NameHasNoOwner|Spawn\.|exited|closed/i;
const LOCKED = /locked|dismiss|cancel|interaction is not allowed|passphrase/i;
/** GNOME Keyring's message if it has no keychain yet and cannot ask for the password of a new one. */
const NOT_SET_UP = /Object does not exist at path/i;

/** libsecret's message after waiting too long for a service. */
const LATE = /Timeout was reached/i;

function late(cause?: string): Failure {
  return failure(
    'keychain-timeout',
    'The keychain did not answer in time.',
    'Unlock it if it asks for its password, or log out of this machine and back in',
    cause,
  );
}

/** @param message the keychain's message for a refused call */
function callFailure(message: string): Failure {
  if (LATE.test(message)) return late(message);
  if (LOCKED.test(message))
    return failure('keychain-locked', 'The keychain is locked.', UNLOCK, message);
  if (NOT_SET_UP.test(message))
    return failure(
      'keychain-not-set-up',
      'The keychain is not set up yet, and there was nobody to ask for its password.',
      `Log in to the desktop once (${OVER_SSH})`,
      message,
    );
  if (!NO_SERVICE.test(message))
    return failure('keychain-failed', `The keychain failed: ${message}.`, 'Try again', message);
  return failure(
    'keychain-missing',
    'No keychain found: no Secret Service is running in this session.',
    `Start a keychain such as gnome-keyring, KWallet or KeePassXC. Without a desktop, install gnome-keyring, and type \`dbus-run-session -- "\${SHELL:-sh}"\`, then ${BY_PASSWORD} and a password`,
    message,
  );
}

const wouldLose = (account: string, attributes: readonly string[]) =>
  new Failure(
    'keychain-entry-own',
    `The keychain's entry for ${account} has attributes that gw did not give it (${attributes.join(', ')}), and would lose them.`,
    'Nothing was changed. Delete the entry, or change its attribute "account", then try again.',
  );

const stays = (account: string) =>
  new Failure(
    'keychain-entry-stays',
    `The keychain still has an entry for ${account}.`,
    'Let gw read and delete it where the keychain asks, and try again. Delete one that gw did not make in the keychain itself.',
  );

const mayStay = (account: string) =>
  new Failure(
    'keychain-locked',
    `The keychain is locked, and may have an entry for ${account}.`,
    `${UNLOCK}.`,
  );

/** @param repair what may help the keychain, as the beginning of a sentence: where nobody types, it comes last */
function failure(code: CodeOf<'auth'>, message: string, repair: string, cause?: string): Failure {
  const next = process.stdin.isTTY
    ? `${repair}; or ${WAYS_WITHOUT_KEYCHAIN}.`
    : `Without a keychain, ${WAYS_WITHOUT_KEYCHAIN}. With one: ${repair}.`;
  return new Failure(code, message, next, { cause });
}
