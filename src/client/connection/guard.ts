/**
 * What stands between a command and the gateway on the user's own behalf: a connection that nobody
 * else can read, files that nobody else can change, the limits of the profile, and the confirmation
 * that a live profile asks for before money moves or a record goes.
 */
import { isObject } from '../../base/json.ts';
import { plural } from '../../base/plural.ts';
import { moneyText } from '../../contract/money.ts';
import type { Operation } from '../../contract/operation.ts';
import { kindOfId } from '../../contract/record-id.ts';
import { cancelledSaying, Failure } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { namedProfile } from '../../view/text/environment.ts';
import type { Asked } from '../exchange/evidence.ts';
import { moneyOf } from '../exchange/said-money.ts';
import type { CallInput } from '../exchange/wire-request.ts';
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
 * Sees to it that nobody else may read or change what gw keeps; the journal decides what is sent.
 * @throws Failure guard when somebody else can
 */
export async function keepPrivate({
  files,
  stderr,
}: Pick<Host, 'files' | 'stderr'>): Promise<void> {
  const { tightened, exposed } = files.keepPrivate();
  if (tightened.length > 0)
    await stderr.write(
      `Note: others could read ${neutralise(tightened.join(', '))}; now only you can.\n`,
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
  { operation, input }: Pick<Asked, 'operation'> & Partial<Asked>,
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
  const { amounts, currency } = moneyOf(operation, input);
  const code = currency ?? profile.currency;
  const limit = `the limit of the profile ${name}, ${moneyText(maxAmount, code)}`;
  // What cannot be compared is not let through either.
  const above = amounts.find(({ minor }) => minor === undefined || minor > maxAmount);
  if (above) {
    const message =
      above.minor === undefined
        ? `The amount ${JSON.stringify(above.value)} is no whole number of minor units, and cannot be compared with ${limit}.`
        : `${moneyText(above.minor, code)} is above ${limit}.`;
    throw refusal('amount-above-limit', message, change);
  }
  const { effect, isForeign, body } = operation;
  const isSilent = effect === 'money' && amounts.length === 0 && (isForeign || body?.fields.amount);
  if (!isSilent) return;
  const message = `The request says no amount that could be compared with ${limit}.`;
  throw refusal('amount-above-limit', message, change);
}

/** To type the profile's name. */
const MAX_TRIES = 3;

/** What is shown to whoever confirms: a name, and a value that is left out where it is undefined. */
export type ShownLine = readonly [name: string, value: unknown];

export interface Confirmation {
  host: Pick<Host, 'stderr' | 'prompts'>;
  profile: Profile;
  options: Pick<RequestOptions, 'confirmedProfile' | 'mayAsk'>;
  /** Whose account it is; read only when somebody is asked. */
  username: () => Promise<string>;
  /** What is about to happen, in addition to where. */
  command: string;
  /** `Amount` or `Total` is also named where nobody is there to ask. */
  shown: readonly ShownLine[];
  /** Says what would be asked, and goes on as if it were answered: a dry run asks nobody. */
  isDryRun: boolean;
}

/** What a live profile has confirmed, by the effect of an operation. */
const LIVE_EFFECTS: Readonly<Record<string, string>> = {
  money: 'this moves real money.',
  recurring: 'this starts charges of real money that repeat.',
  destroy: 'this deletes a record for good.',
};

/**
 * On a live profile, what moves money or destroys a record is confirmed with the profile's name.
 * @throws Failure guard unless it was confirmed
 */
export async function confirmLive(
  { host, profile, options, username, command, shown, isDryRun }: Confirmation,
  { effect, recurring }: Operation,
): Promise<void> {
  const { name, baseUrl } = profile;
  const what = LIVE_EFFECTS[effect === 'money' && recurring ? 'recurring' : effect];
  if (what === undefined || isConfirmed(profile, options, 'Nothing was sent.')) return;
  if (!options.mayAsk && !isDryRun) {
    const amount = shown.find(([label]) => label === 'Amount' || label === 'Total')?.[1];
    const of = amount === undefined ? '' : ` of ${amount}`;
    const message = `gw cannot ask you here to confirm ${command}${of} on the live profile ${name}.`;
    throw refusal('nobody-to-confirm', message, `Add --confirm ${name} if you mean it.`);
  }
  await host.stderr.write(
    `LIVE: ${what}\n${shownText([
      ['Command', command],
      ['Profile', namedProfile(profile)],
      ['Account', isDryRun ? undefined : await username()],
      ['Gateway', baseUrl.host],
      ...shown,
    ])}`,
  );
  if (isDryRun) {
    const asks = options.mayAsk ? `asks you to type ${name}` : 'is refused';
    await host.stderr.write(`The real run ${asks}, unless you add --confirm ${name}.\n`);
    return;
  }
  await askForName(host, name, 'Nothing was sent.');
}

/** @returns lines of labels and values, those without a value left out */
export function shownText(lines: readonly ShownLine[]): string {
  const said = lines.filter(([, value]) => value !== undefined);
  const widest = Math.max(...said.map(([label]) => label.length));
  return said
    .map(([label, value]) => `  ${label.padEnd(widest)}  ${neutralise(String(value))}\n`)
    .join('');
}

/**
 * @param lifted what a change does to a live profile, each a phrase such as `lifts read-only`
 * @throws Failure guard unless it was confirmed with the profile's name
 */
export async function confirmChange(
  { host, profile, options }: Pick<Confirmation, 'host' | 'profile' | 'options'>,
  lifted: readonly string[],
): Promise<void> {
  const { name } = profile;
  if (lifted.length === 0 || isConfirmed(profile, options, 'Nothing was changed.')) return;
  const what = lifted.join(', ');
  if (!options.mayAsk)
    throw unconfirmed(
      'nobody-to-confirm',
      `${name} is a live profile, and gw cannot ask you here to confirm that this ${what}.`,
      `Nothing was changed. Add --confirm ${name} if you mean it.`,
    );
  await host.stderr.write(`LIVE: this ${what}.\n`);
  await cancelledSaying('Nothing was changed.', () =>
    askForName(host, name, 'Nothing was changed.'),
  );
}

/** @throws Failure guard when another profile was confirmed */
function isConfirmed(
  { name, environment }: Profile,
  { confirmedProfile }: Confirmation['options'],
  nothing: string,
): boolean {
  if (environment !== 'live' || confirmedProfile === name) return true;
  if (confirmedProfile === undefined) return false;
  throw unconfirmed(
    'other-profile-confirmed',
    `--confirm names ${confirmedProfile}, but this is the profile ${name}.`,
    `${nothing} Use --confirm ${name} if you mean that one.`,
  );
}

/** Whoever mistypes it is asked again, and keeps what was answered before. */
async function askForName(
  { prompts }: Pick<Host, 'prompts'>,
  name: string,
  nothing: string,
): Promise<void> {
  let left = MAX_TRIES;
  const typed = await prompts.text(`Type the profile name (${name}) to confirm:`, {
    check(text) {
      left -= 1;
      const said = `Not confirmed: this is not the profile name. ${left} ${plural(left, 'try is', 'tries are')} left`;
      return text === name || left === 0 || said;
    },
    startsAgain: true,
    isConfirmation: true,
  });
  if (typed === name) return;
  throw unconfirmed(
    'not-confirmed',
    `Not confirmed: ${typed === '' ? 'nothing was typed' : 'what you typed is not the profile name'}.`,
    `${nothing} Run the command again and type ${name}, or add --confirm ${name}.`,
  );
}

function unconfirmed(code: string, message: string, next: string): Failure {
  return new Failure('guard', message, { code, next });
}

/**
 * @param currency ISO 4217 code of the amount, where it is known
 * @returns what identifies a single request to the person who confirms it, the card masked
 * @throws Failure guard for a request that moves money, and can be read in several ways: nobody would know what
 *   was confirmed, nor what it repeats
 */
export function shownOfRequest(
  operation: Operation,
  input: CallInput,
  currency: string | undefined,
): ShownLine[] {
  const { target, amount, reference, unread } = moneyOf(operation, input);
  if (unread.length > 0 && operation.effect === 'money')
    throw refusal(
      'request-unreadable',
      `gw cannot tell what ${unread.join(', ')} ${plural(unread.length, 'says', 'say')}.`,
      'Give each field once, in the body: an amount as a whole number of minor units, the others as text.',
    );
  const { body = {} } = input;
  const { card_holder: name } = isObject(body.card) ? body.card : body;
  const isRecord = operation.money?.givesBack !== undefined || kindOfId(target ?? '') !== undefined;
  return [
    ['Record', input.id ?? (isRecord ? (target ?? undefined) : undefined)],
    ['Name', name],
    ['Card', isRecord ? undefined : (target ?? undefined)],
    ['Amount', amount === null ? undefined : moneyText(amount, currency)],
    ['Reference', reference ?? undefined],
  ];
}
