/**
 * The keychain of the operating system, through keytar: Keychain, Credential Manager, or a Secret
 * Service on D-Bus (GNOME Keyring, KWallet, KeePassXC).
 *
 * A secret that is there and not locked, which is the ordinary case, is asked of the Secret Service
 * itself, since keytar needs a process of its own (keychain-child.ts) that takes longer to start than
 * all the rest of a command. Whatever else there is to say is left to keytar.
 *
 * Nothing is loaded before the first call. Each call has two limits: one for a keychain that
 * answers by itself, and one for a keychain that is asking a person for a password. On Linux the
 * service is asked which of the two it is; elsewhere that cannot be known and the longer one holds.
 *
 * libsecret reports a locked keychain, or a dismissed question for its password, like one that
 * holds nothing. So on Linux "nothing" is believed only when the service says it is not locked.
 */

import { Failure } from '../../failure.ts';
import type { Keychain } from '../host.ts';
import {
  findKeytar,
  type KeychainAnswer,
  type KeychainRequest,
  startKeychainCall,
} from './keychain-child.ts';
import { type SecretServiceState, secretServiceState, unlockedSecret } from './secret-service.ts';
import { WAYS_WITHOUT_KEYCHAIN } from './without-keychain.ts';

const KEYCHAIN_SERVICE = 'gw';

const ANSWER_TIMEOUT_MS = 5_000;
const UNLOCK_TIMEOUT_MS = 60_000;
const PROBE_TIMEOUT_MS = 1_000;

export interface KeychainOptions {
  env: Readonly<Record<string, string | undefined>>;
  interrupted: AbortSignal;
  /** Time for a keychain that asks nobody. */
  answerTimeoutMs?: number;
  /** Time for a person to unlock the keychain. */
  unlockTimeoutMs?: number;
  /** Main file of the keytar package. */
  keytar?: string | undefined;
  platform?: NodeJS.Platform;
}

/** @returns the keychain, untouched until the first call */
export function createKeychain(options: KeychainOptions): Omit<Keychain, 'name'> {
  const call = (method: KeychainRequest['method'], account: string, secret?: string) =>
    callKeychain(options, method, account, secret);
  return {
    async get(account) {
      return (await call('getPassword', account))?.toString();
    },
    async peek(account) {
      await refuseLocked(options, account);
      const quick = { ...options, unlockTimeoutMs: options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS };
      return (await callKeychain(quick, 'getPassword', account, undefined))?.toString();
    },
    async set(account, secret) {
      await call('setPassword', account, secret);
    },
    async delete(account) {
      return (await call('deletePassword', account)) === true;
    },
  };
}

/** libsecret would ask a person to unlock it. Elsewhere only the time limit keeps the question short. */
async function refuseLocked(options: KeychainOptions, account: string): Promise<void> {
  const platform = options.platform ?? process.platform;
  if (platform !== 'linux') return;
  const attributes = { service: KEYCHAIN_SERVICE, account };
  const state = await secretServiceState(options.env, attributes, PROBE_TIMEOUT_MS);
  if (state === 'locked') throw locked(platform);
}

async function callKeychain(
  options: KeychainOptions,
  method: KeychainRequest['method'],
  account: string,
  secret: string | undefined,
): Promise<string | boolean | undefined> {
  const platform = options.platform ?? process.platform;
  const attributes = { service: KEYCHAIN_SERVICE, account };
  if (platform === 'linux' && method === 'getPassword') {
    const unlocked = await unlockedSecret(options.env, attributes, PROBE_TIMEOUT_MS);
    if (unlocked !== undefined) return unlocked;
  }
  const state = () =>
    platform === 'linux'
      ? secretServiceState(options.env, attributes, PROBE_TIMEOUT_MS)
      : Promise.resolve<SecretServiceState>('unknown');

  const answer = await callInTime(options, platform, state, {
    method,
    arguments: [KEYCHAIN_SERVICE, account, ...(secret === undefined ? [] : [secret])],
  });
  if (answer.result !== 'value') throw keychainFailure(answer, platform);
  const nothing = answer.value === null || answer.value === false;
  if (!nothing) return answer.value ?? undefined;
  if (method !== 'setPassword' && (await state()) === 'locked') throw locked(platform);
  return undefined;
}

async function callInTime(
  options: KeychainOptions,
  platform: NodeJS.Platform,
  state: () => Promise<SecretServiceState>,
  request: KeychainRequest,
): Promise<KeychainAnswer> {
  const { answerTimeoutMs = ANSWER_TIMEOUT_MS, unlockTimeoutMs = UNLOCK_TIMEOUT_MS } = options;
  const keytar = 'keytar' in options ? options.keytar : findKeytar();
  const call = await startKeychainCall(request, { ...options, keytar });

  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const killAfter = (timeoutMs: number) => {
    if (!isOver) timer = setTimeout(call.kill, timeoutMs);
  };
  if (platform === 'linux') {
    timer = setTimeout(async () => {
      if ((await state()) === 'locked') killAfter(unlockTimeoutMs);
      else call.kill();
    }, answerTimeoutMs);
  } else killAfter(unlockTimeoutMs);
  try {
    return await call.answer;
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}

const NO_SERVICE =
  /autolaunch|could not connect|connection refused|not provided by any \.service|ServiceUnknown|NameHasNoOwner|Spawn\.|exited|closed/i;
const LOCKED = /locked|dismiss|cancel|interaction is not allowed|passphrase/i;
/** What GNOME Keyring says when it has no keychain yet and cannot ask for the password of a new one. */
const NOT_SET_UP = /Object does not exist at path/i;

function keychainFailure(
  answer: Exclude<KeychainAnswer, { result: 'value' }>,
  platform: NodeJS.Platform,
): Failure {
  switch (answer.result) {
    case 'missing':
      return failure(
        'keychain-not-installed',
        'The part of gw that talks to the keychain is not installed.',
        'Install gw again without --omit=optional',
      );
    case 'load':
      return /libsecret/.test(answer.message)
        ? failure(
            'keychain-library-missing',
            'The keychain cannot be reached, because the library libsecret is not installed.',
            'Install libsecret (apt install libsecret-1-0, dnf install libsecret, apk add libsecret)',
            answer.message,
          )
        : failure(
            'keychain-not-runnable',
            'The part of gw that talks to the keychain does not run on this machine.',
            'Install gw again on this machine',
            answer.message,
          );
    case 'timeout':
      return failure(
        'keychain-timeout',
        'The keychain did not answer in time.',
        'Restart the keychain, or log out of this machine and back in',
      );
    case 'crash':
      return failure(
        'keychain-crashed',
        'The part of gw that talks to the keychain stopped before answering.',
        'Try again',
        answer.message,
      );
    case 'call':
      return callFailure(answer.message, platform);
  }
}

/** @param message what the keychain said of a call that it refused */
function callFailure(message: string, platform: NodeJS.Platform): Failure {
  if (LOCKED.test(message)) return locked(platform, message);
  if (NOT_SET_UP.test(message)) {
    return failure(
      'keychain-not-set-up',
      'The keychain is not set up yet, and there was nobody to ask for its password.',
      'Log in to the desktop once (over ssh, `gnome-keyring-daemon --unlock` reads the password)',
      message,
    );
  }
  if (!NO_SERVICE.test(message))
    return failure('keychain-failed', `The keychain failed: ${message}.`, 'Try again', message);
  return platform === 'linux'
    ? failure(
        'keychain-missing',
        'No keychain found: no Secret Service is running in this session.',
        'Start a keychain such as gnome-keyring, KWallet or KeePassXC',
        message,
      )
    : failure(
        'keychain-missing',
        'This session has no keychain.',
        'Log in to a session that has one',
        message,
      );
}

function locked(platform: NodeJS.Platform, cause?: string): Failure {
  return failure(
    'keychain-locked',
    'The keychain is locked.',
    platform === 'linux'
      ? 'Unlock it and try again (a desktop asks for its password; over ssh, `gnome-keyring-daemon --unlock` reads it)'
      : 'Unlock it and try again',
    cause,
  );
}

/** @param first what to do before the other ways are tried, as the beginning of a sentence */
function failure(code: string, message: string, first: string, cause?: string): Failure {
  return new Failure('auth', message, {
    code,
    next: `${first}; or ${WAYS_WITHOUT_KEYCHAIN}.`,
    cause,
  });
}
