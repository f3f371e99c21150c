/** The time zone of dates: the one that the user names, or this machine's. */
import {
  isTimeZone,
  lazyTimeZone,
  openTimeZone,
  type TimeZone,
  zonesMeant,
} from '../base/time-zone.ts';
import type { Host } from './host.ts';
import { note } from './note.ts';

/** @returns this machine's zone, and a problem and what to do if it is unknown: then days are counted in UTC */
export function machineZone({ TZ }: Host['env']): {
  name: string;
  problem?: string;
  next?: string;
} {
  if (TZ !== undefined && /^(?:(?:[A-Za-z]+|<\w+>)[+-]?0+)?$/.test(TZ)) return { name: 'UTC' };
  const name = TZ ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (isTimeZone(name)) return { name };
  const cause = TZ
    ? `TZ is ${JSON.stringify(TZ)}, which is not the name of a time zone`
    : 'gw cannot tell the time zone of this machine';
  const next =
    zonesMeant(name) ?? 'Set TZ to a name such as Australia/Sydney, or give --time-zone.';
  return { name: 'UTC', problem: `${cause}, so days are counted in UTC.`, next };
}

const opened = new WeakMap<object, TimeZone>();

/**
 * Opens this machine's zone on first use, because the first use of `Intl` takes a fifth of a short command's time.
 * @param name as in `--time-zone`; undefined for this machine's zone. If that is unknown, stderr says so once.
 * @throws Failure usage if no time zone has this name
 */
export function timeZoneOf(
  { env, stderr }: Pick<Host, 'env' | 'stderr'>,
  name: string | undefined,
): TimeZone {
  if (name !== undefined) return openTimeZone(name);
  const zone =
    opened.get(stderr) ??
    lazyTimeZone(() => {
      const { name: own, problem, next } = machineZone(env);
      if (problem !== undefined) void note(stderr, `${problem} ${next}`);
      return own;
    });
  opened.set(stderr, zone);
  return zone;
}
