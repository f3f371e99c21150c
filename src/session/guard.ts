/**
 * What stands between a command and the gateway on the user's own behalf: the limits of the
 * profile, and the confirmation that a live profile asks for before money moves or a record goes.
 */

import { isObject, type JsonObject } from '../base/json.ts';
import type { CallInput } from '../client/client.ts';
import { maskCardNumber } from '../contract/card-number.ts';
import { currencyExponent } from '../contract/currency.ts';
import { formatDecimal } from '../contract/money.ts';
import type { Operation } from '../contract/operations.ts';
import { Failure } from '../failure.ts';
import { mayAsk } from '../flags/may-ask.ts';
import type { Host } from '../host/host.ts';
import type { Profile } from '../profiles/profile.ts';
import { neutralise } from '../redaction/safe.ts';

/** @throws Failure guard when the profile does not permit the operation */
export function checkLimits(profile: Profile, operation: Operation, body: JsonObject): void {
  const change = `\`gw profile show ${profile.name}\` shows the limits, \`gw profile set ${profile.name}\` changes them.`;
  if (profile.readOnly && operation.effect !== 'read') {
    throw new Failure('guard', `The profile ${profile.name} is read-only.`, {
      next: `Nothing was sent. ${change}`,
    });
  }
  if (profile.allowedCommands && !profile.allowedCommands.includes(operation.name)) {
    throw new Failure(
      'guard',
      `The profile ${profile.name} does not allow \`${operation.name}\`.`,
      {
        next: `Nothing was sent. ${change}`,
      },
    );
  }
  const { amount } = body;
  const { maxAmount, name } = profile;
  if (maxAmount === undefined || amount === undefined || amount === null) return;
  // `gw api` may send it as text; what cannot be compared is not let through either.
  if (Number(amount) <= maxAmount) return;
  throw new Failure('guard', `${amount} is above the limit of the profile ${name}, ${maxAmount}.`, {
    next: `Nothing was sent. ${change}`,
  });
}

export interface ConfirmOptions {
  host: Host;
  profile: Profile;
  /** Whose account it is; shown to the person who confirms. */
  username: string;
  flags: { confirm?: string | undefined; 'no-input'?: boolean | undefined };
}

/**
 * On a live profile, what moves money or destroys a record is confirmed with the profile's name.
 * @throws Failure guard unless it was confirmed
 */
export async function confirmLive(
  { host, profile, username, flags }: ConfirmOptions,
  operation: Operation,
  input: CallInput,
): Promise<void> {
  if (profile.environment !== 'live') return;
  if (operation.effect !== 'money' && operation.effect !== 'destroy') return;
  const facts = describeRequest(profile, username, operation, input);
  await confirmByName({ host, profile, flags }, facts);
}

/**
 * The same for a whole batch, once.
 * @param username read only when somebody is asked
 */
export async function confirmBatch(
  options: Omit<ConfirmOptions, 'username'> & { username: () => Promise<string> },
  operation: Operation,
  { lines, totals }: { lines: number; totals: ReadonlyMap<string, bigint> },
): Promise<void> {
  const { profile, flags } = options;
  if (profile.environment !== 'live') return;
  const isAsked = flags.confirm === undefined && mayAsk(options.host, flags);
  const amounts = [...totals].map(([currency, total]) =>
    describeAmount(total, currency === '' ? profile.currency : currency),
  );
  await confirmByName(
    options,
    describeFacts([
      ['Command', `${operation.name}, ${lines} times`],
      ['Profile', `${profile.name} (${profile.environment})`],
      ['Account', isAsked ? await options.username() : undefined],
      ['Host', profile.baseUrl.host],
      ['Total', amounts.length === 0 ? undefined : amounts.join(' and ')],
    ]),
  );
}

async function confirmByName(
  { host, profile, flags }: Omit<ConfirmOptions, 'username'>,
  facts: readonly string[],
): Promise<void> {
  if (flags.confirm === profile.name) return;
  if (flags.confirm !== undefined) {
    throw new Failure(
      'guard',
      `--confirm names ${flags.confirm}, and the profile in use is ${profile.name}.`,
      {
        next: `Nothing was sent. Use --confirm ${profile.name} if that is the one you mean.`,
      },
    );
  }
  if (!mayAsk(host, flags)) {
    throw new Failure(
      'guard',
      `${profile.name} is a live profile, and nobody is here to confirm.`,
      {
        next: `Nothing was sent. Add --confirm ${profile.name} if that is the one you mean.`,
      },
    );
  }
  await host.stderr.write(`${facts.join('\n')}\n`);
  const answer = await host.prompts.text(`Type ${profile.name} to go on:`);
  if (answer !== profile.name) {
    throw new Failure('guard', 'Not confirmed.', { next: 'Nothing was sent.' });
  }
}

function describeRequest(
  profile: Profile,
  username: string,
  operation: Operation,
  { id, body = {} }: CallInput,
): string[] {
  const card = isObject(body.card) ? body.card : body;
  const currency = typeof body.currency === 'string' ? body.currency : profile.currency;
  return describeFacts([
    ['Command', operation.name],
    ['Profile', `${profile.name} (${profile.environment})`],
    ['Account', username],
    ['Host', profile.baseUrl.host],
    ['Record', id ?? body.transaction_id],
    [
      'Card',
      typeof card.card_number === 'string' ? maskCardNumber(card.card_number) : body.card_token,
    ],
    ['Amount', typeof body.amount === 'number' ? describeAmount(body.amount, currency) : undefined],
    ['Reference', body.reference],
  ]);
}

function describeFacts(facts: readonly [string, unknown][]): string[] {
  return facts
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${name.padEnd(10)}${neutralise(String(value))}`);
}

function describeAmount(minor: number | bigint, currency: string | undefined): string {
  const exponent = currency === undefined ? undefined : currencyExponent(currency);
  return exponent === undefined
    ? `${minor} (minor units)`
    : `${formatDecimal(Number(minor), exponent)} ${currency}`;
}
