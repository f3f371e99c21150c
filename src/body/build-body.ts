/**
 * Builds the body of a request from everything a user may give: `--input`, flags over its fields,
 * a card from one source, and prompts for what is still missing when a person is there.
 */

import { isObject, type JsonObject, setAt, valueAt } from '../base/json.ts';
import { isCardNumber } from '../contract/card-number.ts';
import type { Operation } from '../contract/operations.ts';
import { bodyOf } from '../contract/requests.ts';
import { type Failure, usage } from '../failure.ts';
import { mayAsk } from '../flags/may-ask.ts';
import type { Host } from '../host/host.ts';
import type { Profile } from '../profiles/profile.ts';
import { askForCard, askForFields, refuseMissing } from './ask.ts';
import { readCard, refuseCardOnArgv, refuseExpiredCard } from './card-input.ts';
import { CARD_IN_BODY, type CardPlace } from './card-place.ts';
import { readDecimalAmount } from './decimal-amount.ts';
import { applyFlags, type FlagValues } from './flag-values.ts';
import { readJsonObject, withoutNulls } from './read-input.ts';

export interface BodyOptions {
  /** Where the request has a card; undefined when it has none. */
  card?: CardPlace;
  /** false for updates, where a card is only taken when it is given. */
  cardIsExpected?: boolean;
}

/** @throws Failure usage when the body is not complete or cannot be read; nothing was sent then */
export async function buildBody(
  host: Host,
  profile: Profile,
  operation: Operation,
  flags: FlagValues & { 'no-input'?: boolean | undefined },
  options: BodyOptions,
): Promise<JsonObject> {
  const schema = bodyOf(operation);
  if (!schema) return {};
  refuseCardOnArgv(flags, profile.environment);
  refuseTwoReaders(flags);
  const body =
    typeof flags.input === 'string'
      ? withoutNulls(await readJsonObject(host, flags.input, '--input'))
      : {};
  if (options.card) await putCard(host, profile, body, flags, options.card);
  applyFlags(body, schema, flags);
  applyAmount(body, flags, profile);
  if (options.card) await completeCard(host, operation, body, flags, options);
  refuseNumberAsToken(body);
  if (mayAsk(host, flags)) await askForFields(host, schema, body);
  else refuseMissing(schema, body);
  return body;
}

function refuseTwoReaders(flags: FlagValues): void {
  if (flags.input === '-' && flags['card-file'] === '-') {
    throw usage('--input and --card-file cannot both read stdin.', 'Give one of them as a file.');
  }
}

/** A card number given for a token would be sent, stored and quoted as what it is not. */
function refuseNumberAsToken({ card_token: token }: JsonObject): void {
  if (typeof token !== 'string' || !isCardNumber(token)) return;
  throw usage(
    'The card_token looks like a card number.',
    'Nothing was sent. Leave --card-token out to be asked for the card, or tokenize it first: `gw tokenize`.',
  );
}

function applyAmount(body: JsonObject, flags: FlagValues, profile: Profile): void {
  const decimal = flags['decimal-amount'];
  if (typeof decimal !== 'string') return;
  const currency = flags.currency ?? body.currency ?? profile.currency;
  body.amount = readDecimalAmount(decimal, typeof currency === 'string' ? currency : undefined);
}

/** Puts the fields of `--card-file` or `--test-card` into the body. */
async function putCard(
  host: Host,
  profile: Profile,
  body: JsonObject,
  flags: FlagValues,
  place: CardPlace,
): Promise<void> {
  putFields(body, place, await readCard(host, flags, place, profile.environment));
}

/** Asks for a card that is expected and was not given, and refuses one that has expired. */
async function completeCard(
  host: Host,
  operation: Operation,
  body: JsonObject,
  flags: FlagValues & { 'no-input'?: boolean | undefined },
  { card: place = CARD_IN_BODY, cardIsExpected = true }: BodyOptions,
): Promise<void> {
  const isGiven = body.card_token !== undefined || cardOf(body, place).card_number !== undefined;
  if (!isGiven && cardIsExpected) {
    if (!mayAsk(host, flags)) throw noCard(operation);
    // Where the interface requires a CVV (a customer's card, section 2.6) the prompt does too.
    putFields(body, place, await askForCard(host, place, place.path.length === 0));
  }
  refuseExpiredCard(cardOf(body, place), place, host.clock.now());
}

function putFields(body: JsonObject, place: CardPlace, fields: JsonObject): void {
  for (const [name, value] of Object.entries(fields)) setAt(body, [...place.path, name], value);
}

function noCard(operation: Operation): Failure {
  const { shape = {} } = bodyOf(operation) ?? {};
  const token = 'card_token' in shape ? '--card-token TOKEN, ' : '';
  return usage(
    'There is no card.',
    `Nothing was sent. Give ${token}--card-file FILE (- for stdin), or --test-card NAME on a profile that is not live.`,
  );
}

function cardOf(body: JsonObject, place: CardPlace): JsonObject {
  const card = place.path.length === 0 ? body : valueAt(body, place.path);
  return isObject(card) ? card : {};
}
