/**
 * What the Secret Service says without asking a person anything (Secret Service API 0.2): a secret
 * that is not locked, and whether the service is locked, which libsecret does not tell (keychain.ts).
 *
 * The secret travels in the algorithm `plain`, over a socket that only this user and root can reach,
 * and any program of this user's may ask for it.
 */
import {
  connectToSessionBus,
  type DBus,
  type DBusCall,
  type DBusReply,
  dbusPath,
  dbusString,
  dbusVariant,
} from './dbus.ts';

/** `unknown`: the service cannot be asked, does not answer, or answers something else. */
export type SecretServiceState = 'locked' | 'unlocked' | 'unknown';

const NAME = 'org.freedesktop.secrets';
const PATH = '/org/freedesktop/secrets';
const SERVICE = 'org.freedesktop.Secret.Service';
const COLLECTION = 'org.freedesktop.Secret.Collection';

type Env = Readonly<Record<string, string | undefined>>;
type Attributes = Readonly<Record<string, string>>;
type Ask = (call: Omit<DBusCall, 'destination'>) => Promise<DBusReply | undefined>;

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
      path: PATH,
      interface: SERVICE,
      member: 'OpenSession',
      arguments: [dbusString('plain'), dbusVariant('')],
    });
    if (session?.signature !== 'vo' || session.readSignature() !== 's') return undefined;
    session.readString();
    const secret = await ask({
      path: item,
      interface: 'org.freedesktop.Secret.Item',
      member: 'GetSecret',
      arguments: [dbusPath(session.readString())],
    });
    if (secret?.signature !== '(oayays)') return undefined;
    secret.enterStruct();
    secret.readString(); // the session
    secret.readBytes(); // parameters, which `plain` has none of
    return secret.readBytes().toString('utf8');
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
  const bus: DBus | undefined = await connectToSessionBus(env, timeoutMs);
  if (!bus) return unreachable;
  try {
    return await work((call) => bus.call({ destination: NAME, ...call }));
  } finally {
    bus.close();
  }
}

async function search(ask: Ask, attributes: Attributes) {
  const items = await ask({
    path: PATH,
    interface: SERVICE,
    member: 'SearchItems',
    arguments: [{ signature: 'a{ss}', value: attributes }],
  });
  if (items?.signature !== 'aoao') return undefined;
  return { unlocked: items.readStrings(), locked: items.readStrings() };
}

async function stateOf(call: Ask, attributes: Attributes): Promise<SecretServiceState> {
  const items = await search(call, attributes);
  if (!items) return 'unknown';
  if (items.locked.length > 0) return 'locked';

  const alias = await call({
    path: PATH,
    interface: SERVICE,
    member: 'ReadAlias',
    arguments: [dbusString('default')],
  });
  if (alias?.signature !== 'o') return 'unknown';
  const collection = alias.readString();
  if (collection === '/') return 'unlocked';

  const property = await call({
    path: collection,
    interface: 'org.freedesktop.DBus.Properties',
    member: 'Get',
    arguments: [dbusString(COLLECTION), dbusString('Locked')],
  });
  if (property?.signature !== 'v' || property.readSignature() !== 'b') return 'unknown';
  return property.readUint32() === 1 ? 'locked' : 'unlocked';
}
