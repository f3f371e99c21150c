/**
 * The entries of a Secret Service, without their secrets. libsecret answers alike for a locked keychain, a declined
 * question and a missing entry. It overwrites and deletes entries that have gw's attributes among others, and KeePassXC
 * does not show it those without its schema. So gw asks the service too, through `dbus-send`, which comes with D-Bus.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { environmentOfPrograms } from './secret-variables.ts';

const TIMEOUT_MS = 5_000;
const SERVICE = '/org/freedesktop/secrets';
/** The attributes of keytar's entries, and those that KeePassXC adds to every entry. */
const USUAL = ['service', 'account', 'xdg:schema', 'Title', 'Path', 'Uuid'];

interface Seen {
  /** Whether there is an entry, whoever made it. */
  isThere: boolean;
  /** Whether there is one that gw does not find. */
  hasOthers: boolean;
  /** The attributes of a person's own in those that gw finds. */
  own: string[];
  /** Whether there may be an entry that cannot be seen, as in a locked collection. */
  mayHide: boolean;
}

/**
 * Looks for entries without asking a person to unlock anything.
 * @returns what there is for an account of gw; nothing on other systems, where a locked keychain fails
 */
export async function lookAt(account: string): Promise<Seen> {
  const seen: Seen = { isThere: false, hasOthers: false, own: [], mayHide: false };
  if (process.platform !== 'linux') return seen;
  try {
    const collections = pathsIn(await property(SERVICE, 'Service', 'Collections'));
    seen.mayHide = collections.length === 0;
    for (const path of collections) {
      const isLocked = (await property(path, 'Collection', 'Locked')).includes('boolean true');
      seen.mayHide ||= isLocked;
      const search = [path, 'Secret.Collection.SearchItems', 'dict:string:string:service,gw'];
      for (const item of isLocked ? [] : pathsIn(await send(search)))
        add(seen, account, await property(item, 'Item', 'Attributes'));
    }
  } catch {
    // Without an answer, such as without `dbus-send`, nobody knows.
    seen.mayHide = true;
  }
  return seen;
}

/**
 * Matches the entries that GNOME Keyring prints if none is locked: it numbers them. KeePassXC, which asks a person before
 * it gives one, numbers none.
 */
const OPEN = /array \[\s+(?:object path "[^"\]]+\/\d+"\s+)+\]\s+array \[\s+\]/;

/** @returns whether there is an entry that nobody needs to allow gw to read, as far as the service says */
export async function asksNobody(account: string, signal: AbortSignal): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const attributes = `dict:string:string:service,gw,account,${account}`;
  const found = send([SERVICE, 'Secret.Service.SearchItems', attributes], signal);
  return OPEN.test(await found.catch(() => ''));
}

const PAIR = /^\s*string "([^"\n]*)"\n +string "(.*)"\n +\)/s;

/** @param printed the attributes of an entry */
function add(seen: Seen, account: string, printed: string): void {
  const pairs = printed.split('dict entry(').map((one) => PAIR.exec(one) ?? []);
  const attributes = new Map(pairs.map(([, name = '', text = '']) => [name, text]));
  if (attributes.get('account') !== account) return;
  seen.isThere = true;
  if (attributes.get('xdg:schema') !== 'org.freedesktop.Secret.Generic') seen.hasOthers = true;
  else
    for (const [name, text] of attributes)
      if (text !== '' && !USUAL.includes(name)) seen.own.push(name);
}

const pathsIn = (printed: string) =>
  [...printed.matchAll(/object path "(.+)"/g)].map(([, path = '']) => path);

const property = (path: string, of: string, name: string) =>
  send([path, 'DBus.Properties.Get', `string:org.freedesktop.Secret.${of}`, `string:${name}`]);

/** @returns the answer to a call of a method on an object, as `dbus-send` prints it */
async function send([path, method, ...args]: string[], signal?: AbortSignal): Promise<string> {
  const to = ['--session', '--print-reply', '--dest=org.freedesktop.secrets', `${path}`];
  const called = [...to, `org.freedesktop.${method}`, ...args];
  const options = { timeout: TIMEOUT_MS, env: environmentOfPrograms(), signal };
  return (await promisify(execFile)('dbus-send', called, options)).stdout;
}
