/** Username and API token of a profile: their form, and their storage in the keychain. */

import { inspect } from 'node:util';
import { holdsControl, oddPartOf } from '../../base/clean-text.ts';
import { isObject, type Json } from '../../base/json.ts';
import { Failure, orFailure } from '../../failure.ts';
import type { Keychain, KeychainState } from '../../host/host.ts';
import { checkOwnName } from './profile.ts';
import { checkedJson } from './store.ts';

const MAX_LENGTH = { username: 255, 'API token': 4096 } as const;

export interface Credentials {
  readonly username: string;
  readonly apiToken: Secret;
  /** A sentence: how to give others, if the gateway refuses these. */
  readonly renewal?: string | undefined;
}

/**
 * @param source names the origin of the credentials in messages, which never quote them
 * @param next what to do if they cannot be used
 * @throws Failure auth if they are blank or not fit for Basic authentication
 */
export function checkCredentials(
  username: unknown,
  apiToken: unknown,
  source: string,
  next: string,
): Credentials {
  const fault = faultOf('username', username) ?? faultOf('API token', apiToken);
  if (fault === undefined && typeof username === 'string' && typeof apiToken === 'string') {
    if (!username.includes(':')) return { username, apiToken: new Secret(apiToken) };
  }
  const reason = fault ?? 'the username contains a colon, which Basic authentication cannot send';
  throw new Failure('credentials-invalid', `${source} cannot be used: ${reason}.`, next);
}

function faultOf(name: keyof typeof MAX_LENGTH, value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return `the ${name} is missing`;
  if (typeof value !== 'string') return `the ${name} is not text`;
  if (value.length > MAX_LENGTH[name])
    return `the ${name} is longer than ${MAX_LENGTH[name]} characters`;
  if (holdsControl(value)) return `the ${name} contains a line break or control character`;
  const fault = oddPartOf(value);
  return fault && `the ${name} ${fault}`;
}

/**
 * @param text a JSON object with `username` and `apiToken`; also reads `api_token` and `token`, the names that password
 *   managers use
 * @throws Failure auth, which quotes none of the text
 */
export async function parseCredentials(
  text: string,
  source: string,
  next: string,
): Promise<Credentials> {
  const value = await parse(text, source, next);
  const fields = isObject(value) ? value : {};
  const token = fields.apiToken ?? fields.api_token ?? fields.token;
  return checkCredentials(fields.username, token, source, next);
}

async function parse(text: string, source: string, next: string): Promise<Json> {
  try {
    return await checkedJson(text, source);
  } catch (error) {
    if (error instanceof Failure)
      throw new Failure(error.code, error.message, next, { kind: 'auth' });
    throw error;
  }
}

/**
 * Stores the credentials of a profile in the keychain.
 * @returns a note for the user, which may be empty
 * @throws Failure auth if that fails, or if the keychain holds others afterwards
 */
export async function saveCredentials(
  keychain: Pick<Keychain, 'set'>,
  name: string,
  { username, apiToken }: Credentials,
): Promise<string> {
  checkOwnName(name);
  const secret = JSON.stringify({ username, apiToken: apiToken.reveal() });
  const kept = await keychain.set(name, secret);
  const held = kept.held && (await orFailure(parseCredentials(kept.held, '', '')));
  const stays = held && !(held instanceof Failure) ? `earlier ones of ${held.username}` : undefined;
  return noteOfKept(kept, secret, `the credentials of ${name}`, stays);
}

/**
 * @param what what was to be stored
 * @returns a note for the user, which may be empty
 * @throws Failure auth if the keychain holds something else
 */
export function noteOfKept(
  { held, hasOthers }: KeychainState,
  secret: string,
  what: string,
  earlier = 'an earlier entry',
): string {
  const note =
    'Note: the keychain has another entry for this, which gw does not find. Delete it there if it is old.\n';
  if (held === secret) return hasOthers ? note : '';
  const stays = held === undefined ? 'nothing that gw may read' : earlier;
  throw new Failure(
    'keychain-not-stored',
    `The keychain did not store ${what}. It has ${stays}.`,
    'Run the command again, and allow the change where the keychain asks.',
  );
}

/**
 * @returns a sentence about the result
 * @throws Failure auth if the keychain cannot be asked, or may still hold them
 */
export async function deleteCredentials(
  keychain: Pick<Keychain, 'delete'>,
  name: string,
): Promise<string> {
  checkOwnName(name);
  return (await keychain.delete(name))
    ? `Removed the credentials of ${name} from the keychain.`
    : `The keychain holds no credentials for ${name}.`;
}

/** @returns the keychain's credentials for a profile. @throws Failure auth if it cannot be asked */
export async function loadCredentials(
  keychain: Pick<Keychain, 'get'>,
  name: string,
): Promise<Credentials | undefined> {
  const secret = await keychain.get(name);
  if (secret === undefined) return undefined;
  return parseCredentials(
    secret,
    `The keychain entry for ${name}`,
    `Run \`gw login ${name}\` to store it again.`,
  );
}

const SHOWN = '***';

/** A text that shows itself only on request: not in a message, in JSON or in a debugger. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** @returns the text; call this only to send or store it */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [inspect.custom](): string {
    return SHOWN;
  }
}
