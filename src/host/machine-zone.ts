/** The time zone of dates: the one that the user names, or this machine's. */
import { realpathSync } from 'node:fs';
import { isTimeZone, lazyTimeZone, openTimeZone, type TimeZone } from '../base/time-zone.ts';
import type { Host } from './host.ts';
import { note } from './note.ts';

const LINK_OF_THE_SYSTEM = '/etc/localtime';

/**
 * Replaces a path in TZ by the name of its zone. The C library reads both, and Node reads paths as UTC.
 * @param env of this process, before anything asks for the time zone
 */
export function nameTimeZone(env: NodeJS.ProcessEnv): void {
  const typed = env.TZ?.replace(/^:/, '');
  if (typed === undefined) return;
  let path = typed;
  try {
    if (typed.startsWith('/')) path = realpathSync(typed);
  } catch {
    // Node knows many zones whose files this system does not have.
  }
  // A copy of a zone has no name. Node finds out which one it is, if it is the system's and TZ is not set.
  if (path === LINK_OF_THE_SYSTEM) delete env.TZ;
  else env.TZ = path.replace(/^(?:.*\/zoneinfo(?:\.default)?\/)?(?:(?:posix|right)\/)?/, '');
}

/** @returns this machine's zone, and what is wrong if gw counts in UTC only because it cannot tell the zone */
export function machineZone({ TZ }: Host['env']): { name: string; problem?: string } {
  const isUtc = TZ !== undefined && /^(?:(?:[A-Za-z]+|<\w+>)[+-]?0+)?$/.test(TZ);
  const name = isUtc ? 'UTC' : (TZ ?? new Intl.DateTimeFormat().resolvedOptions().timeZone);
  if (isTimeZone(name)) return { name };
  const cause = TZ
    ? `TZ is ${JSON.stringify(TZ)}, which is not the name of a time zone`
    : 'gw cannot tell the time zone of this machine';
  return { name: 'UTC', problem: `${cause}, so days are counted in UTC.` };
}

/** What to do about a time zone that is not known. */
export const NAME_THE_ZONE = 'Set TZ to a name such as Australia/Sydney, or give --time-zone.';

const opened = new WeakMap<object, TimeZone>();

/**
 * @param name as in `--time-zone`; undefined for this machine's zone, which is opened on its first use, because the first
 *   use of `Intl` takes a fifth of a short command's time. stderr then says once if it is unknown.
 * @throws Failure usage if no time zone has this name
 */
export function timeZoneOf(
  { env, stderr }: Pick<Host, 'env' | 'stderr'>,
  name: string | undefined,
): TimeZone {
  if (name !== undefined) return openTimeZone(name);
  const known = opened.get(stderr);
  if (known) return known;
  const zone = lazyTimeZone(() => {
    const { name: own, problem } = machineZone(env);
    if (problem !== undefined) void note(stderr, `${problem} ${NAME_THE_ZONE}`);
    return openTimeZone(own);
  });
  opened.set(stderr, zone);
  return zone;
}
