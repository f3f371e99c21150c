/**
 * The keychain of the operating system, through keytar in this process: Keychain, Credential Manager, or a Secret
 * Service on D-Bus (GNOME Keyring, KWallet, KeePassXC).
 *
 * Nothing is loaded before the first call. Each call has a time limit, which leaves a person time to type the
 * keychain's password. keytar's own thread may go on, and `exit` does not wait for it (host/ending.ts).
 *
 * libsecret reports a locked keychain, or a dismissed password question, like an empty one. So a caller that finds
 * nothing must say that the keychain may be locked.
 */
import { createRequire } from 'node:module';
import { Failure } from '../failure.ts';
import { mayNeverEnd } from './ending.ts';
import type { Keychain } from './host.ts';
import { WAYS_WITHOUT_KEYCHAIN } from './secret-variables.ts';

const KEYCHAIN_SERVICE = 'gw';
/** Time for a person to unlock the keychain. */
const UNLOCK_TIMEOUT_MS = 60_000;
const PEEK_TIMEOUT_MS = 5_000;

/** The part of the package that gw uses. */
export interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, secret: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

export interface KeychainOptions {
  interrupted: AbortSignal;
  /** @throws Failure auth if keytar is missing or does not run */
  load?: () => Keytar;
  unlockTimeoutMs?: number;
}

/** @returns the keychain, untouched until the first call */
export function createKeychain({
  interrupted,
  load = loadKeytar,
  unlockTimeoutMs = UNLOCK_TIMEOUT_MS,
}: KeychainOptions): Omit<Keychain, 'name'> {
  const ask = async <Answer>(call: (keytar: Keytar) => Promise<Answer>, ms = unlockTimeoutMs) => {
    interrupted.throwIfAborted();
    return inTime(call(load()), ms, interrupted);
  };
  const get = (account: string, ms?: number) =>
    ask(async (keytar) => (await keytar.getPassword(KEYCHAIN_SERVICE, account)) ?? undefined, ms);
  return {
    get: (account) => get(account),
    peek: (account) => get(account, PEEK_TIMEOUT_MS),
    set: (account, secret) =>
      ask((keytar) => keytar.setPassword(KEYCHAIN_SERVICE, account, secret)),
    delete: (account) => ask((keytar) => keytar.deletePassword(KEYCHAIN_SERVICE, account)),
  };
}

/** @throws Failure auth if the call fails or takes too long; the reason of `interrupted` */
function inTime<Answer>(
  call: Promise<Answer>,
  timeoutMs: number,
  interrupted: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(interrupted.reason);
    const timer = setTimeout(() => {
      mayNeverEnd(call);
      reject(late());
    }, timeoutMs);
    interrupted.addEventListener('abort', leave, { once: true });
    call
      .then(resolve, (error: Error) => reject(callFailure(error.message)))
      .finally(() => {
        clearTimeout(timer);
        interrupted.removeEventListener('abort', leave);
      });
  });
}

function loadKeytar(): Keytar {
  const require = createRequire(import.meta.url);
  try {
    return require('keytar');
  } catch {
    throw loadFailure(require);
  }
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
    return failure(
      'keychain-locked',
      'The keychain is locked.',
      'Unlock it and try again (a desktop asks for its password; over ssh, `gnome-keyring-daemon --unlock` reads it)',
      message,
    );
  if (NOT_SET_UP.test(message))
    return failure(
      'keychain-not-set-up',
      'The keychain is not set up yet, and there was nobody to ask for its password.',
      'Log in to the desktop once (over ssh, `gnome-keyring-daemon --unlock` reads the password)',
      message,
    );
  if (!NO_SERVICE.test(message))
    return failure('keychain-failed', `The keychain failed: ${message}.`, 'Try again', message);
  return failure(
    'keychain-missing',
    'No keychain found: no Secret Service is running in this session.',
    'Start a keychain such as gnome-keyring, KWallet or KeePassXC',
    message,
  );
}

/** @param first what to try first, as the beginning of a sentence */
function failure(code: string, message: string, first: string, cause?: string): Failure {
  return new Failure('auth', message, {
    code,
    next: `${first}; or ${WAYS_WITHOUT_KEYCHAIN}.`,
    cause,
  });
}
