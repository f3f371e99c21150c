/**
 * Asks the Secret Service whether it is locked, which libsecret does not tell (keychain.ts).
 *
 * Three questions at the most, none of which makes the service ask a person anything: which items
 * match, and, since some services show no items while they are locked, which collection is the
 * default one and whether that is locked.
 */
import { connectToSessionBus, type DBus, type DBusCall, dbusString } from './dbus.ts';

/** `unknown`: the service cannot be asked, does not answer, or answers something else. */
export type SecretServiceState = 'locked' | 'unlocked' | 'unknown';

const NAME = 'org.freedesktop.secrets';
const PATH = '/org/freedesktop/secrets';
const SERVICE = 'org.freedesktop.Secret.Service';
const COLLECTION = 'org.freedesktop.Secret.Collection';

/** @param attributes of the item in question */
export async function secretServiceState(
  env: Readonly<Record<string, string | undefined>>,
  attributes: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<SecretServiceState> {
  const bus = await connectToSessionBus(env, timeoutMs);
  if (!bus) return 'unknown';
  try {
    return await ask(bus, attributes);
  } finally {
    bus.close();
  }
}

async function ask(
  bus: DBus,
  attributes: Readonly<Record<string, string>>,
): Promise<SecretServiceState> {
  const call = (rest: Omit<DBusCall, 'destination'>) => bus.call({ destination: NAME, ...rest });

  const items = await call({
    path: PATH,
    interface: SERVICE,
    member: 'SearchItems',
    arguments: [{ signature: 'a{ss}', value: attributes }],
  });
  if (items?.signature !== 'aoao') return 'unknown';
  items.skipArray(); // those that are unlocked
  if (items.skipArray() > 0) return 'locked';

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
