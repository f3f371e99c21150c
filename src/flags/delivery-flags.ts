/** What the commands around web hooks have in common: addresses, seconds, times, the receiver's password. */

import { usage } from '../failure.ts';
import type { Host } from '../host/host.ts';
import type { Redactor } from '../redaction/redactor.ts';
import type { BasicCredentials } from '../webhooks/receive/basic-auth.ts';
import { option } from './flag.ts';
import { mayAsk } from './may-ask.ts';

/** Address of a listener that was started without flags. */
export const LISTENER_HOST = '127.0.0.1';
export const LISTENER_PORT = 4242;
export const LISTENER_URL = `http://${LISTENER_HOST}:${LISTENER_PORT}/`;

const PASSWORD_VARIABLE = 'GW_LISTEN_PASSWORD';
const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

export const basicAuthFlag = (whose: string, group: { helpGroup?: string } = {}) => ({
  'basic-auth': option({
    description: `Username ${whose}. The password is asked for, or taken from ${PASSWORD_VARIABLE}.`,
    helpValue: '<username>',
    ...group,
  }),
});

export const setFlag = {
  set: option({
    description:
      'Change one field of the body: names joined by dots, places in a list from 0. May be repeated.',
    helpValue: '<path=value>',
    multiple: true,
  }),
};

/**
 * @param username value of `--basic-auth`
 * @throws Failure usage when there is no password and nobody to ask
 */
export async function basicCredentials(
  { host, redactor }: { host: Host; redactor: Redactor },
  username: string | undefined,
  flags: { 'no-input'?: boolean | undefined } = {},
): Promise<BasicCredentials | undefined> {
  if (username === undefined) return undefined;
  if (username === '' || username.includes(':')) {
    throw usage(
      'username-invalid',
      '--basic-auth takes a username without a colon.',
      'For example --basic-auth hooks.',
    );
  }
  const given = host.env[PASSWORD_VARIABLE];
  if (!given && !mayAsk(host, flags)) {
    throw usage(
      'password-missing',
      `There is no password for ${username}.`,
      `Set ${PASSWORD_VARIABLE}; a password on the command line could be read by others.`,
    );
  }
  const password = given || (await host.prompts.hidden(`Password of ${username} (not shown):`));
  redactor.addCredentials(username, password);
  return { username, password };
}

/** @throws Failure usage unless the text is a http or https address without credentials */
export function parseTarget(flag: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw usage(
      'url-invalid',
      `--${flag} takes an address that begins with http:// or https://.`,
      `For example --${flag} http://127.0.0.1:3000/hooks.`,
    );
  }
  if (url.username || url.password) {
    throw usage(
      'url-has-credentials',
      `The address of --${flag} has credentials in it, which other programs could read.`,
      'Leave them out.',
    );
  }
  url.hash = '';
  return url;
}

/** @returns milliseconds. @throws Failure usage unless the text is a number of seconds up to `maxS` */
export function parseSeconds(flag: string, text: string, maxS: number): number {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= maxS) return Math.round(seconds * 1_000);
  throw usage(
    'duration-invalid',
    `--${flag} takes seconds, at most ${maxS}, not ${JSON.stringify(text)}.`,
    `For example --${flag} 30.`,
  );
}

/**
 * @param text a date, a date-time, or how long ago: 90s, 30m, 2h, 1d, 1w
 * @returns ISO 8601, UTC; a date alone begins at midnight here
 * @throws Failure usage when it is none of them
 */
export function parseTime(flag: string, text: string, now: Date): string {
  const ago = /^(\d{1,6})([smhdw])$/.exec(text);
  if (ago) {
    const unit = UNITS_MS[ago[2] as keyof typeof UNITS_MS];
    return new Date(now.getTime() - Number(ago[1]) * unit).toISOString();
  }
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text);
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/.test(text);
  const at = isDate || isTime ? new Date(isDate ? `${text}T00:00` : text) : undefined;
  if (at && !Number.isNaN(at.getTime())) return at.toISOString();
  throw usage(
    'time-invalid',
    `--${flag} takes a date, a date-time or how long ago, not ${JSON.stringify(text)}.`,
    `For example --${flag} 2026-05-31, --${flag} 2026-05-31T09:30 or --${flag} 2h.`,
  );
}
