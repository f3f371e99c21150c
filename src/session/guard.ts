/**
 * What stands between a command and the gateway on the user's own behalf: a connection that nobody
 * else can read, files that nobody else can change, the limits of the profile, and the confirmation
 * that a live profile asks for before money moves or a record goes.
 */
import { isObject, type JsonObject } from '../base/json.ts';
import type { CallInput } from '../client/wire-request.ts';
import { maskCardNumber } from '../contract/card-number.ts';
import { moneyText } from '../contract/money.ts';
import type { Operation } from '../contract/operations.ts';
import type { RequestOptions } from '../flags/request-options.ts';
import type { Host } from '../host/host.ts';
import type { Profile } from '../profiles/profile.ts';
import { neutralise } from '../redaction/safe.ts';
import { refusal } from './refusals.ts';

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
    what: 'NODE_TLS_REJECT_UNAUTHORIZED=0 has anybody taken for the gateway',
    next: 'Unset it; NODE_EXTRA_CA_CERTS=FILE makes a certificate authority of your own known.',
  },
  {
    code: 'session-keys-written',
    isSet: (env) => /--tls[-_]keylog\b/.test(env.NODE_OPTIONS ?? ''),
    what: 'NODE_OPTIONS has the keys of every connection written to a file (--tls-keylog)',
    next: 'Take it out of NODE_OPTIONS.',
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
      `Note: others could get at ${neutralise(tightened.join(', '))}; nobody but you can now.\n`,
    );
  if (exposed.length === 0) return;
  throw refusal(
    'state-exposed',
    `Somebody else owns or can change ${exposed.join(', ')}, which gw decides by what to send.`,
    'Run gw as the user whose it is, make it yours (chown), or set HOME or the XDG directories to a directory of yours.',
  );
}

/** @throws Failure guard when the profile does not permit the operation */
export function checkLimits(profile: Profile, operation: Operation, { amount }: JsonObject): void {
  const { name, readOnly, allowedCommands, maxAmount } = profile;
  const change = `\`gw profile show ${name}\` shows the limits, \`gw profile set ${name}\` changes them.`;
  if (readOnly && operation.effect !== 'read')
    throw refusal('profile-read-only', `The profile ${name} is read-only.`, change);
  if (allowedCommands && !allowedCommands.includes(operation.name)) {
    const message = `The profile ${name} does not allow \`${operation.name}\`.`;
    throw refusal('command-not-allowed', message, change);
  }
  if (maxAmount === undefined || amount === undefined || amount === null) return;
  // `gw api` may send it as text; what cannot be compared is not let through either.
  if (Number(amount) <= maxAmount) return;
  const message = `${amount} is above the limit of the profile ${name}, ${maxAmount}.`;
  throw refusal('amount-above-limit', message, change);
}

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
  shown: readonly ShownLine[];
  /** Says what would be asked, and goes on as if it were answered: a dry run asks nobody. */
  isDryRun: boolean;
}

/**
 * On a live profile, what moves money or destroys a record is confirmed with the profile's name.
 * @throws Failure guard unless it was confirmed
 */
export async function confirmLive(
  { host, profile, options, username, command, shown, isDryRun }: Confirmation,
  { effect }: Operation,
): Promise<void> {
  const { name, environment, baseUrl } = profile;
  if (environment !== 'live' || (effect !== 'money' && effect !== 'destroy')) return;
  const { confirmedProfile } = options;
  if (confirmedProfile === name) return;
  if (confirmedProfile !== undefined) {
    const message = `--confirm names ${confirmedProfile}, and the profile in use is ${name}.`;
    const next = `Use --confirm ${name} if that is the one you mean.`;
    throw refusal('other-profile-confirmed', message, next);
  }
  if (!options.mayAsk && !isDryRun) {
    const message = `${name} is a live profile, and nobody is here to confirm.`;
    const next = `Add --confirm ${name} if that is the one you mean.`;
    throw refusal('nobody-to-confirm', message, next);
  }
  const lines: ShownLine[] = [
    ['Command', command],
    ['Profile', `${name} (${environment})`],
    ['Account', isDryRun ? undefined : await username()],
    ['Host', baseUrl.host],
    ...shown,
  ];
  const text = lines
    .filter(([, value]) => value !== undefined)
    .map(([label, value]) => `  ${label.padEnd(10)}${neutralise(String(value))}\n`);
  await host.stderr.write(text.join(''));
  if (isDryRun) {
    const asks = options.mayAsk ? `asks for ${name} to be typed` : `is refused`;
    await host.stderr.write(`Not confirmed: the run itself ${asks}, without --confirm ${name}.\n`);
    return;
  }
  if ((await host.prompts.text(`Type ${name} to go on:`)) !== name)
    throw refusal('not-confirmed', 'Not confirmed.');
}

/** @returns what identifies a single request to the person who confirms it, the card masked */
export function shownOfRequest(profile: Profile, { id, body = {} }: CallInput): ShownLine[] {
  const { card_number: number } = isObject(body.card) ? body.card : body;
  const currency = typeof body.currency === 'string' ? body.currency : profile.currency;
  const { amount } = body;
  return [
    ['Record', id ?? body.transaction_id],
    ['Card', typeof number === 'string' ? maskCardNumber(number) : body.card_token],
    ['Amount', typeof amount === 'number' ? moneyText(amount, currency) : undefined],
    ['Reference', body.reference],
  ];
}
