/**
 * What the Secret Service says without asking a person anything (Secret Service API 0.2): a secret
 * that is not locked, and whether the service is locked, which libsecret does not tell (keychain.ts).
 *
 * The secret travels in the algorithm `plain`, over a socket that only this user and root can reach,
 * and any program of this user's may ask for it.
 */
import { connectToSessionBus, type DBusCall, type DBusValue } from './dbus.ts';

/** `unknown`: the service cannot be asked, does not answer, or answers something else. */
export type SecretServiceState = 'locked' | 'unlocked' | 'unknown';

const NAME = 'org.freedesktop.secrets';
const PATH = '/org/freedesktop/secrets';
const SERVICE = 'org.freedesktop.Secret.Service';
const COLLECTION = 'org.freedesktop.Secret.Collection';

type Env = Readonly<Record<string, string | undefined>>;
type Attributes = Readonly<Record<string, string>>;
type Call = Omit<DBusCall, 'destination'>;
type Ask = (call: Call) => Promise<readonly DBusValue[] | undefined>;

/**
 * @param attributes of the item in question
 * @returns its secret when it is there and not locked; undefined in every other case
 */
export function unlockedSecret(
  env: Env,
  attributes: Attributes,
  timeoutMs: number,
): Promise<string | undefined> {
  return onBus(env, timeoutMs, undefined, async (ask) => {
    const [item] = (await search(ask, attributes))?.unlocked ?? [];
    if (item === undefined) return undefined;
    const session = await ask({
      ...{ path: PATH, interface: SERVICE, member: 'OpenSession' },
      ...{ takes: 'sv', arguments: ['plain', ['s', '']], returns: 'vo' },
    });
    if (session?.[0] !== '') return undefined;
    const found = await ask({
      ...{ path: item, interface: 'org.freedesktop.Secret.Item', member: 'GetSecret' },
      ...{ takes: 'o', arguments: [session[1] ?? ''], returns: '(oayays)' },
    });
    // The session, parameters, which `plain` has none of, the secret, and its type.
    const [, , secret] = (found?.[0] ?? []) as DBusValue[];
    return Buffer.isBuffer(secret) ? secret.toString('utf8') : undefined;
  });
}

/**
 * Three questions at the most: which items match, and, since some services show no items while they
 * are locked, which collection is the default one and whether that is locked.
 * @param attributes of the item in question
 */
export function secretServiceState(
  env: Env,
  attributes: Attributes,
  timeoutMs: number,
): Promise<SecretServiceState> {
  return onBus(env, timeoutMs, 'unknown', (ask) => stateOf(ask, attributes));
}

async function onBus<Answer>(
  env: Env,
  timeoutMs: number,
  unreachable: Answer,
  work: (ask: Ask) => Promise<Answer>,
): Promise<Answer> {
  const bus = await connectToSessionBus(env, timeoutMs);
  if (!bus) return unreachable;
  try {
    return await work((call) => bus.call({ destination: NAME, ...call }));
  } finally {
    bus.close();
  }
}

async function search(ask: Ask, attributes: Attributes) {
  const found = await ask({
    ...{ path: PATH, interface: SERVICE, member: 'SearchItems' },
    ...{ takes: 'a{ss}', arguments: [Object.entries(attributes)], returns: 'aoao' },
  });
  const [unlocked, locked] = (found ?? []) as string[][];
  return unlocked && locked && { unlocked, locked };
}

async function stateOf(ask: Ask, attributes: Attributes): Promise<SecretServiceState> {
  const items = await search(ask, attributes);
  if (!items) return 'unknown';
  if (items.locked.length > 0) return 'locked';
  const alias = await ask({
    ...{ path: PATH, interface: SERVICE, member: 'ReadAlias' },
    ...{ takes: 's', arguments: ['default'], returns: 'o' },
  });
  const [collection] = (alias ?? []) as string[];
  if (collection === undefined) return 'unknown';
  if (collection === '/') return 'unlocked';
  const property = await ask({
    ...{ path: collection, interface: 'org.freedesktop.DBus.Properties', member: 'Get' },
    ...{ takes: 'ss', arguments: [COLLECTION, 'Locked'], returns: 'v' },
  });
  const [isLocked] = property ?? [];
  if (typeof isLocked !== 'boolean') return 'unknown';
  return isLocked ? 'locked' : 'unlocked';
}
