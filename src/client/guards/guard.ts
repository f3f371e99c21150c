/**
 * Guards that protect the user: a connection that nobody else can read, files that nobody else can change, and the
 * limits of the profile.
 */

import { moneyText } from '../../contract/money.ts';
import { lacksCurrency } from '../../contract/operations.ts';
import { usage } from '../../failure.ts';
import type { CodeOf } from '../../failure-codes.ts';
import type { Host } from '../../host/host.ts';
import { note } from '../../host/note.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { capText } from '../../journal/caps.ts';
import { refusal } from '../connection/refusals.ts';
import type { RequestOptions } from '../connection/request-options.ts';
import type { JudgedRequest } from '../exchange/evidence.ts';
import { amountsIn, currenciesIn } from '../exchange/said-money.ts';
import { capsOf, type Profile } from '../profiles/profile.ts';
import { capFault } from './rules.ts';

/** Settings in Node's own variables that open a connection to others. */
const OPENINGS: readonly {
  code: CodeOf<'guard'>;
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

/** @throws Failure guard if others could read or answer requests to a live gateway */
export function checkConnection({ environment, name }: Profile, env: Host['env']): void {
  if (environment !== 'live') return;
  const opening = OPENINGS.find(({ isSet }) => isSet(env));
  if (opening)
    throw refusal(opening.code, `${opening.what}, and the profile ${name} is live.`, opening.next);
}

/** @throws Failure usage if another gateway than the one in this process is to make trouble */
export function checkFault(
  { environment, name }: Profile,
  { testFault }: Pick<RequestOptions, 'testFault'>,
): void {
  if (testFault === undefined || environment === 'local') return;
  throw usage(
    'test-fault-elsewhere',
    `--test-fault is for the built-in test gateway alone, and the profile ${name} is not.`,
    'Add --profile local. Any other client meets trouble by a test card (`gw emulator cards`).',
    { sent: false },
  );
}

/**
 * Makes gw's files private, because the journal decides what is sent. A dry run only looks.
 * @throws Failure guard if somebody else owns them or can still change them
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
    `Somebody else owns or can change ${exposed.join(', ')}. gw needs it to decide what to send.`,
    'Run gw as its owner, or make it yours (chown). Or set HOME, or the XDG directories, to a directory of yours.',
  );
}

/**
 * @param asked the operation; its input, if already known
 * @throws Failure guard if the profile does not permit the operation
 */
export function checkLimits(
  profile: Profile,
  { operation, input }: Pick<JudgedRequest, 'operation'> & Partial<JudgedRequest>,
): void {
  const { name, readOnly, allowedCommands, maxAmount } = profile;
  const caps = capsOf(profile);
  const change = `\`gw whoami -p ${name}\` shows the limits, \`gw profile set ${name}\` changes them.`;
  if (readOnly && operation.effect !== 'read')
    throw refusal('profile-read-only', `The profile ${name} is read-only.`, change);
  if (allowedCommands && !allowedCommands.includes(operation.name)) {
    const message = `The profile ${name} does not allow \`${operation.name}\`.`;
    throw refusal('command-not-allowed', message, change);
  }
  if (!input || operation.effect === 'read') return;
  if (operation.isForeign && (maxAmount !== undefined || caps[0]))
    throw refusal(
      'amount-not-known',
      `gw does not know how much \`${operation.name}\` moves. It cannot compare that with ${caps[0] && maxAmount === undefined ? `the cap of ${capText(caps[0])}` : limitText(profile)}.`,
      change,
    );
  const fault = limitFault(profile, { operation, input });
  if (fault) throw refusal(fault.code, `${fault.what}.`, change);
}

/** @returns whether gw has to know the currency of an amount, to compare it with a limit or cap of the profile */
export function isLimited(profile: Profile): boolean {
  return (
    hasOwnLimit(profile) ||
    profile.twoPersonsAbove !== undefined ||
    capsOf(profile).some(({ currency }) => currency !== undefined)
  );
}

function hasOwnLimit({ maxAmount, currency }: Profile): boolean {
  return maxAmount !== undefined && currency !== undefined;
}

/** @returns for example `the limit of the profile shop, 5.00 AUD` */
export function limitText({ name, maxAmount = 0, currency }: Profile): string {
  return `the limit of the profile ${name}, ${moneyText(maxAmount, currency)}`;
}

/**
 * Compares every amount of a body with the limit of the profile, which is in the profile's currency. gw refuses an
 * amount that it cannot compare. An amount without a currency is taken as the profile's, but a refund is in that of its
 * purchase, and a plan in that of the account.
 * @returns what is wrong, as a clause; undefined if nothing is
 */
export function limitFault(
  profile: Profile,
  { operation, input }: JudgedRequest,
): { code: CodeOf<'guard'>; what: string } | undefined {
  const { maxAmount, currency: own } = profile;
  const said = currenciesIn(input);
  const [code = own] = said;
  if (maxAmount === undefined) return capFault(profile, { operation, input }, code);
  const amounts = amountsIn(input.body ?? {}, code);
  const other = said.find((one) => one !== own);
  const isUnknown = said.length === 0 && lacksCurrency(operation);
  if (hasOwnLimit(profile) && amounts.length > 0 && (other !== undefined || isUnknown))
    return {
      code: 'limit-in-other-currency',
      what: `gw cannot compare an amount in ${other ?? 'an unknown currency'} with ${limitText(profile)}`,
    };
  const above = amounts.find(({ minor = Infinity }) => minor > maxAmount);
  if (!above) return capFault(profile, { operation, input }, code);
  const what =
    above.minor === undefined
      ? `gw cannot compare the amount ${JSON.stringify(above.value)}, which is not a whole number of minor units, with ${limitText(profile)}`
      : `${moneyText(above.minor, code)} is above ${limitText(profile)}`;
  return { code: 'amount-above-limit', what };
}

/** A request on a live profile, as shown to the person who confirms it. */
export interface LiveQuestion {
  profile: Profile;
  /** The username; undefined in a dry run, which needs no credentials. */
  account: string | undefined;
  /** A sentence: what the request does. */
  effect: string;
  /** The command, such as `refund create`. */
  command: string;
  shown: readonly ShownLine[];
  isDryRun: boolean;
  /** Whether a person is there to answer. */
  mayAsk: boolean;
}

/** Asks the user to confirm a request. Throws Failure guard unless they do. */
export type Confirm = (question: LiveQuestion) => Promise<void>;

/** A line for the person who confirms: a name and a value. The line is left out if the value is undefined. */
export type ShownLine = readonly [name: string, value: unknown];

export const CHECK_MODE =
  'Check the base address and the credentials with `gw whoami` before you go on.';

/**
 * Compares the mode of an answer with the profile.
 * @param test `test` of the answer's envelope; undefined fits any profile
 * @returns a clause that says what is wrong, if one of them is live and the other is not
 */
export function wrongMode(
  { name, environment }: Profile,
  test: boolean | undefined,
): string | undefined {
  if (test === undefined || test !== (environment === 'live')) return undefined;
  const answered = test ? 'in TEST mode' : 'LIVE';
  return `the profile ${name} is ${environment}, but the gateway answered ${answered}`;
}
