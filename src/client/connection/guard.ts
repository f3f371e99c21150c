/**
 * What stands between a command and the gateway on the user's own behalf: a connection that nobody
 * else can read, files that nobody else can change, and the limits of the profile.
 */
import { moneyText } from '../../contract/money.ts';
import type { Host } from '../../host/host.ts';
import { note } from '../../host/note.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import type { JudgedRequest } from '../exchange/evidence.ts';
import { amountsIn, moneyOf } from '../exchange/said-money.ts';
import type { Profile } from '../profiles/profile.ts';
import { refusal } from './refusals.ts';
import type { RequestOptions } from './request-options.ts';

/** What Node may be told, in its own variables, that opens a connection to others. */
const OPENINGS: readonly {
  code: string;
  isSet: (env: Host['env']) => boolean;
  what: string;
  next: string;
}[] = [
  {
    code: 'certificates-unchecked',
    isSet: (env) => env.NODE_TLS_REJECT_UNAUTHORIZED === '0',
    what: 'NODE_TLS_REJECT_UNAUTHORIZED=0 lets anyone pose as the gateway',
    next: 'Unset it. To trust your own certificate authority, set NODE_EXTRA_CA_CERTS=FILE.',
  },
  {
    code: 'session-keys-written',
    isSet: (env) => /--tls[-_]keylog\b/.test(env.NODE_OPTIONS ?? ''),
    what: 'NODE_OPTIONS writes the keys of every connection to a file (--tls-keylog)',
    next: 'Remove it from NODE_OPTIONS.',
  },
];

/** @throws Failure guard when others could read or answer what is sent to a live gateway */
export function checkConnection({ environment, name }: Profile, env: Host['env']): void {
  if (environment !== 'live') return;
  const opening = OPENINGS.find(({ isSet }) => isSet(env));
  if (opening)
    throw refusal(opening.code, `${opening.what}, and the profile ${name} is live.`, opening.next);
}

/**
 * Sees to it that nobody else may read or change what gw keeps; the journal decides what is sent. A dry run only
 * looks.
 * @throws Failure guard when somebody else can
 */
export async function checkPrivacy(
  { files, stderr }: Pick<Host, 'files' | 'stderr'>,
  { isDryRun }: Pick<RequestOptions, 'isDryRun'>,
): Promise<void> {
  const { tightened, exposed } = isDryRun
    ? { tightened: [], exposed: files.findExposed().foreign }
    : files.keepPrivate();
  if (tightened.length > 0)
    await note(
      stderr,
      `Note: others could read ${neutralise(tightened.join(', '))}; now only you can.`,
    );
  if (exposed.length === 0) return;
  throw refusal(
    'state-exposed',
    `Somebody else owns or can change ${exposed.join(', ')}, and gw relies on it to decide what to send.`,
    'Run gw as its owner, make it yours (chown), or set HOME or the XDG directories to a directory of yours.',
  );
}

/**
 * @param asked the operation, and what it is given where that is known by now
 * @throws Failure guard when the profile does not permit the operation
 */
export function checkLimits(
  profile: Profile,
  { operation, input }: Pick<JudgedRequest, 'operation'> & Partial<JudgedRequest>,
): void {
  const { name, readOnly, allowedCommands, maxAmount } = profile;
  const change = `\`gw profile show ${name}\` shows the limits, \`gw profile set ${name}\` changes them.`;
  if (readOnly && operation.effect !== 'read')
    throw refusal('profile-read-only', `The profile ${name} is read-only.`, change);
  if (allowedCommands && !allowedCommands.includes(operation.name)) {
    const message = `The profile ${name} does not allow \`${operation.name}\`.`;
    throw refusal('command-not-allowed', message, change);
  }
  if (!input || maxAmount === undefined || operation.effect === 'read') return;
  const code = moneyOf(operation, input).currency ?? profile.currency;
  const limit = `the limit of the profile ${name}, ${moneyText(maxAmount, code)}`;
  // What cannot be compared is not let through either.
  if (operation.isForeign)
    throw refusal(
      'amount-not-known',
      `gw does not know what \`${operation.name}\` moves, and cannot compare it with ${limit}.`,
      change,
    );
  const above = amountsIn(input.body ?? {}).find(({ minor = Infinity }) => minor > maxAmount);
  if (!above) return;
  const message =
    above.minor === undefined
      ? `The amount ${JSON.stringify(above.value)} is no whole number of minor units, and cannot be compared with ${limit}.`
      : `${moneyText(above.minor, code)} is above ${limit}.`;
  throw refusal('amount-above-limit', message, change);
}

/** A request on a live profile, as it is shown to the person who confirms it. */
export interface LiveQuestion {
  profile: Profile;
  /** The username; undefined for a dry run, which needs no credentials. */
  account: string | undefined;
  /** A sentence: what the request does. */
  effect: string;
  /** What is about to happen, such as `refund create`. */
  command: string;
  shown: readonly ShownLine[];
  isDryRun: boolean;
  /** Whether a person is there to answer. */
  mayAsk: boolean;
}

/** Asks the user about a request. Throws Failure guard unless it was confirmed. */
export type Confirm = (question: LiveQuestion) => Promise<void>;

/** A line for whoever confirms: a name, and a value that is left out where it is undefined. */
export type ShownLine = readonly [name: string, value: unknown];

export const CHECK_MODE =
  'Check the base address and the credentials with `gw whoami` before you go on.';

/**
 * @param test of the answer's envelope; one that does not say is of any mode
 * @returns what is wrong, as a clause, when a live gateway answers for a profile that is not live,
 *   or a test gateway for one that is
 */
export function wrongMode(
  { name, environment }: Profile,
  test: boolean | undefined,
): string | undefined {
  if (test === undefined || test !== (environment === 'live')) return undefined;
  const answered = test ? 'in TEST mode' : 'LIVE';
  return `the profile ${name} is ${environment}, but the gateway answered ${answered}`;
}
