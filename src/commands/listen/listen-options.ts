/** Reads the flags of `gw listen`. */
import { isLoopback } from '../../base/loopback.ts';
import { LISTENER_PORT, parsePort, parseTarget } from '../../cli/flags/delivery-flags.ts';
import { parseInteger, parseSeconds } from '../../cli/flags/parse-number.ts';
import { usage } from '../../failure.ts';
import type { ListenOptions } from './listener.ts';

const DELAY_S = { min: 0, max: 300 };
const TIMEOUT_S = { max: 7 * 24 * 3_600 };
const MAX_PATH_LENGTH = 1_000;

/** The texts as they were typed. */
interface ListenFlags {
  host: string;
  port: string;
  'allow-remote'?: boolean | undefined;
  path: string;
  respond: string;
  delay: string;
  events?: string[] | undefined;
  'forward-to'?: string | undefined;
  'forward-basic-auth'?: string | undefined;
  until?: string | undefined;
  count?: string | undefined;
  timeout?: string | undefined;
  output?: 'jsonl' | undefined;
  verbose?: boolean | undefined;
}

/**
 * @returns the options that need neither a profile nor a password. @throws Failure usage if one of them is not valid
 */
export function listenOptionsOf(
  flags: ListenFlags,
): Omit<
  ListenOptions,
  'credentials' | 'forwardCredentials' | 'profile' | 'mode' | 'isRemembering'
> {
  const { until, count, timeout, 'forward-to': forwardTo } = flags;
  if (flags['forward-basic-auth'] !== undefined && forwardTo === undefined) throw nowhere();
  return {
    host: hostOf(flags.host, flags['allow-remote']),
    port: parsePort(flags.port, LISTENER_PORT),
    path: pathOf(flags.path),
    respond: statusOf(flags.respond),
    delayMs: parseSeconds('delay', flags.delay, DELAY_S),
    events: flags.events ?? [],
    forwardTo: forwardTo === undefined ? undefined : parseTarget('forward-to', forwardTo),
    goal:
      until === undefined && count === undefined
        ? undefined
        : { until, count: count === undefined ? 1 : parseInteger('count', count) },
    timeoutMs: timeout === undefined ? undefined : parseSeconds('timeout', timeout, TIMEOUT_S),
    output: flags.output ?? 'line',
    isVerbose: flags.verbose ?? false,
  };
}

const nowhere = () =>
  usage(
    'flag-missing',
    '--forward-basic-auth needs --forward-to.',
    'Add the address of the application, for example --forward-to http://127.0.0.1:3000/hooks.',
  );

function hostOf(host: string, isAllowed = false): string {
  const address = `http://${host.includes(':') ? `[${host}]` : host}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.pathname !== '/') {
    throw usage(
      'host-invalid',
      '--host takes only a name or an address.',
      'For example --host 127.0.0.1.',
    );
  }
  if (isAllowed || isLoopback(url.hostname)) return host;
  throw usage(
    'remote-not-allowed',
    `${host} is not a loopback address: anyone who can reach it could deliver events.`,
    'Omit --host and use a tunnel, or add --allow-remote.',
  );
}

/**
 * Accepts a path only in the form that it has in a request: a path that a URL would write differently would never
 * match.
 */
function pathOf(text: string): string {
  const isPath = /^\/[\w\-.~!$&'()*+,;=:@%/]*$/.test(text) && text.length <= MAX_PATH_LENGTH;
  if (isPath && new URL(text, 'http://path.invalid').pathname === text) return text;
  throw usage(
    'path-invalid',
    '--path takes a path that begins with one slash, as in an address.',
    'For example --path /hooks/5f0c2e.',
  );
}

function statusOf(text: string): number {
  const status = /^[2-5]\d\d$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isNaN(status)) return status;
  throw usage(
    'status-invalid',
    `--respond takes a status from 200 to 599, not ${JSON.stringify(text)}.`,
    'For example --respond 503.',
  );
}
