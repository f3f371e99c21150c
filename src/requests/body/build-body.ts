/**
 * Builds the body of a request from everything that a user may give. That is `--input`, flags that override its fields,
 * and a card from one source. If a person is there, gw asks for the rest.
 */

import { withTrimmedTexts } from '../../base/clean-text.ts';
import { isObject, type JsonObject, setAt, valueAt } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { quotedText } from '../../base/shell.ts';
import { quantity } from '../../base/text.ts';
import type { FlagValues } from '../../cli/flags/flag.ts';
import { currencyOfCharges, parseInteger } from '../../cli/flags/parse-number.ts';
import {
  currenciesIn,
  decimalsIn,
  otherCurrency,
  saidCurrency,
} from '../../client/exchange/said-money.ts';
import { isLimited } from '../../client/guards/guard.ts';
import type { Profile } from '../../client/profiles/profile.ts';
import { isCardNumber } from '../../contract/cards/card-number.ts';
import { holdsCardNumber } from '../../contract/cards/find-card-numbers.ts';
import { checkGiven, checkRequest, type SaidField } from '../../contract/check.ts';
import { currencyCode } from '../../contract/currency.ts';
import { sentExpiry } from '../../contract/expiry.ts';
import { AMOUNTS, forgive } from '../../contract/forgiving.ts';
import { fitsDecimal } from '../../contract/money.ts';
import { amountIn } from '../../contract/number-column.ts';
import {
  type CardPlace,
  cardPlaceOf,
  type Field,
  fieldsOf,
  type RequestBody,
} from '../../contract/request.ts';
import { askOrRefuse, type Failure, usage } from '../../failure.ts';
import type { Dialog } from '../asking.ts';
import { correctedCommand } from '../same-command.ts';
import { addCard, askForCard } from './ask-card.ts';
import { askForChanges, askForFields, refuseMissing } from './ask-fields.ts';
import { type CardHost, readCard, refuseCardOnArgv, refuseExpiredCard } from './card-input.ts';
import { readDecimalAmount } from './decimal-amount.ts';
import { readJsonObject, withoutNulls } from './read-input.ts';

/** A body as the user gave it, before anything is looked up or asked. */
export interface GivenBody {
  body: JsonObject;
  /** ISO 4217 code that the user gave. */
  said: string | undefined;
  /** Whether its amount is read, compared or limited in a currency. */
  isRead: boolean;
  /** Whether a person is asked for its amount. */
  isAsked: boolean;
}

/** Facts that complete a body. */
interface KnownOfBody {
  /** ISO 4217 code of its amount, if it is read or asked for: as the gateway shows it, or as the user gave it. */
  currency: string | undefined;
  /** Flags that give the amount in place of --amount. */
  instead?: readonly string[];
}

export interface BuiltBody {
  body: JsonObject;
  /** ISO 4217 code in which its amount was read, if one was needed. */
  currency: string | undefined;
}

/**
 * Reads the sources of a body: files, over which flags count.
 * @throws Failure usage if a source cannot be read
 */
export async function givenBody(
  asking: Pick<Dialog, 'host' | 'session' | 'words' | 'typed'>,
  request: RequestBody,
  flags: FlagValues,
): Promise<GivenBody> {
  const { host, session } = asking;
  const { profile, options } = session;
  for (const { flag, type } of fieldsOf(request))
    if (type === 'date') await refuseDayWords(asking, flag, flags[flag]);
  const place = cardPlaceOf(request);
  if (place) refuseCardOnArgv(flags, profile.environment, place);
  refuseTwoReaders(flags);
  const files = await readFiles(host, profile, request, flags);
  const body = merged([files, bodyOfFlags(request, flags)]);
  const said = currencySaid(body, flags) ?? codeOfAmount(request, flags, profile);
  if (!('amount' in request.fields)) return { body, said, isRead: false, isAsked: false };
  const hasCurrency = 'currency' in request.fields;
  if (hasCurrency) refuseWithdrawn(said, profile);
  const isGiven = body.amount !== undefined || flags['decimal-amount'] !== undefined;
  const isFilled = isGiven || (request.isPartial && Object.keys(body).length > 0);
  const isCompared = hasCurrency
    ? isLimited(profile) && body.amount !== undefined
    : currenciesIn({ body, currency: said }).length > 0;
  return {
    body,
    said,
    isRead: isDecimal(body, flags) || isCompared,
    isAsked: options.mayAsk && !isFilled,
  };
}

/**
 * Words such as `tomorrow` name another day when the same command is run again, so gw says the date and does not send it.
 * @throws Failure usage with the same command and the date, if a flag has words that name a day
 */
export async function refuseDayWords(
  {
    host,
    session: { profile },
    words,
    typed,
  }: Pick<Dialog, 'host' | 'session' | 'words' | 'typed'>,
  flag: string,
  said: FlagValues[string],
): Promise<void> {
  if (typeof said !== 'string' || /^[\d-]*$/.test(said)) return;
  // Few dates are words, and zones take long to load.
  const { comingDay } = await import('../../cli/flags/parse-time.ts');
  const { timeZoneOf } = await import('../../host/machine-zone.ts');
  const { gatewayTime } = await import('../../client/gateway-time.ts');
  const zone = timeZoneOf(host, profile.environment === 'local' ? 'UTC' : undefined);
  const day = comingDay(said, await gatewayTime(host, profile), zone);
  const command = day && correctedCommand({ words, typed }, [said, day]);
  if (!command) return;
  throw usage(
    'date-invalid',
    `--${flag} takes a date, and ${quotedText(said)} is ${day}.`,
    `If you mean that day: \`${command}\`.`,
    { sent: false },
  );
}

/**
 * Completes a body. A decimal is read in a currency that is sent with it, or that the gateway shows. The profile's is
 * sent with a purchase that names none, if its amount was read in it or a limit is in it. If a person is there, gw asks
 * for the rest.
 * @throws Failure usage if the body is incomplete or cannot be read; nothing was sent then
 */
export async function completeBody(
  asking: Dialog,
  request: RequestBody,
  { body: given, said, isRead }: GivenBody,
  { currency, instead }: KnownOfBody,
): Promise<BuiltBody> {
  const { host, session, typed } = asking;
  const { profile, options } = session;
  const draft = { body: { ...given }, said, currency };
  const { body } = draft;
  const place = cardPlaceOf(request);
  if (isRead) readAmount(body, request, typed, currency);
  if (place) await refuseExpiredCard(host, profile, cardOf(body, place)[place.expiry]);
  refuseNumberAsToken(body);
  const byFlags = saidByFlags(request, typed);
  if (options.mayAsk) checkGiven(request, body, byFlags);
  if (place && body.card_token === undefined)
    addCard(body, place, await restOfCard(asking, request, place, body));
  if (!options.mayAsk) refuseMissing(request, body, instead);
  else if (request.isPartial && Object.keys(body).length === 0)
    await askForChanges(asking, request, draft);
  else await askForFields(asking, request, draft);
  if ('amount' in request.fields) refuseOtherDecimal(body, draft.currency);
  checkRequest({ body: request }, body, byFlags);
  return { body, currency: draft.currency };
}

/**
 * Reads a decimal amount into the body, and gives a purchase the currency in which its amount or a limit is read.
 * @throws Failure usage if the amount or its currency is not valid
 */
function readAmount(
  body: JsonObject,
  request: RequestBody,
  flags: FlagValues,
  currency: string | undefined,
): void {
  const decimal = flags['decimal-amount'];
  const hasCurrency = 'currency' in request.fields;
  if (typeof decimal === 'string') body.amount = readDecimalAmount(decimal, currency);
  if (isDecimal(body, flags) || !hasCurrency) refuseOtherCurrency(body, currency);
  if (hasCurrency && currency !== undefined) body.currency ??= currency;
}

function isDecimal(body: JsonObject, flags: FlagValues): boolean {
  return flags['decimal-amount'] !== undefined || decimalsIn(body).length > 0;
}

const ITS_DEFAULT = '`gw profile set NAME --currency CODE` changes the default.';

function refuseWithdrawn(said: string | undefined, profile: Profile): void {
  if (said !== undefined) currencyOfCharges(said);
  else currencyOfCharges(profile.currency ?? '', ITS_DEFAULT);
}

/** @returns the ISO 4217 code that the user gave; undefined if there is none */
function currencySaid(body: JsonObject, { currency }: FlagValues): string | undefined {
  return typeof currency === 'string' ? currencyCode(currency) : saidCurrency({ body });
}

/** @returns the ISO 4217 code in `--decimal-amount '25 AUD'`, unless the currency of the profile counts */
function codeOfAmount(request: RequestBody, flags: FlagValues, { currency }: Profile) {
  const { 'decimal-amount': decimal } = flags;
  if (typeof decimal !== 'string' || ('currency' in request.fields && currency)) return undefined;
  const { codes = [] } = amountIn(decimal);
  return codes.length === 1 ? codes[0] : undefined;
}

/**
 * @param typed flags as they were typed
 * @returns for example `--currency "EURO"` for the field currency; undefined for a field that no flag gave
 */
function saidByFlags(request: RequestBody, typed: FlagValues): SaidField {
  const fields = new Map(fieldsOf(request).map((field) => [field.path.join('.'), field]));
  return (name) => {
    const field = fields.get(name);
    const value = field && typed[field.flag];
    return field && typeof value === 'string' ? shownFlag(field, value) : undefined;
  };
}

/** A number that is no card's may still be most of one. A CVV is never shown, and a token stands for a card. */
function shownFlag({ flag }: Field, value: string): string {
  if (flag === 'cvv' || flag === 'card-token') return `--${flag}`;
  if (flag !== 'card-number') return `--${flag} ${quotedText(value)}`;
  const { length } = value.replaceAll(/\D/g, '');
  return `--${flag} (${quantity(length, 'digit', 'digits')})`;
}

/**
 * @returns what a person adds: an expected card that is missing, or what a given number lacks
 * @throws Failure usage if an expected card is missing and gw cannot ask
 */
async function restOfCard(
  asking: Dialog,
  request: RequestBody,
  place: CardPlace,
  body: JsonObject,
): Promise<JsonObject> {
  const { options } = asking.session;
  const given = pick(cardOf(body, place), ['card_number', 'card_holder', place.expiry, 'cvv']);
  if (given.card_number === undefined ? !place.isExpected : !options.mayAsk) return {};
  return askOrRefuse(options, noCard(request), () =>
    askForCard(asking, place, given, 'card_token' in request.fields),
  );
}

/**
 * Reads the files, and accepts their values in every form that deployments accept. Amounts are the exception: gw never
 * guesses about money. Flags accept the forms that a prompt accepts.
 */
async function readFiles(
  host: CardHost,
  profile: Profile,
  request: RequestBody,
  flags: FlagValues,
): Promise<JsonObject> {
  const place = cardPlaceOf(request);
  const input =
    typeof flags.input === 'string'
      ? withoutNulls(await readJsonObject(host, flags.input, '--input'), request.fields)
      : {};
  const card = place ? atPlace(place, await readCard(host, profile, flags, place)) : {};
  return forgive(request, withTrimmedTexts(merged([input, card])), AMOUNTS).body;
}

function refuseTwoReaders(flags: FlagValues): void {
  if (flags.input === '-' && flags['card-file'] === '-') {
    throw usage(
      'two-readers-of-stdin',
      '--input and --card-file cannot both read stdin.',
      'Give one of them as a file.',
    );
  }
}

/** A card number in place of a token would be sent, stored and quoted like a token. */
function refuseNumberAsToken({ card_token: token }: JsonObject): void {
  if (typeof token !== 'string' || !(isCardNumber(token) || holdsCardNumber(token))) return;
  throw usage(
    'card-number-as-token',
    'The card token looks like a card number.',
    'Leave --card-token out, and gw asks for the card. Or tokenize it first with `gw tokenize`.',
  );
}

function refuseOtherCurrency(body: JsonObject, currency = ''): void {
  const other = otherCurrency({ body }, currency);
  if (other === undefined || currency === '') return;
  throw usage(
    'currency-differs',
    `The amount is in ${currency}, and --input says ${other}.`,
    'Give only one currency.',
  );
}

/** Nobody knows which of two different amounts the gateway takes, or what a decimal is without its currency. */
function refuseOtherDecimal(body: JsonObject, currency: string | undefined): void {
  const { amount } = body;
  const name = decimalsIn(body).find(
    (one) => currency === undefined || !fitsDecimal(amount, body[one], currency),
  );
  if (name === undefined || amount === undefined) return;
  const both = `${name} is ${JSON.stringify(body[name])} and amount is ${JSON.stringify(amount)}`;
  throw usage(
    currency === undefined ? 'currency-missing' : 'body-invalid',
    currency === undefined
      ? `${both}: gw needs to know the currency.`
      : `${both}, which is not the same in ${currency}.`,
    `Leave ${name} out${currency === undefined ? ', or give --currency CODE' : '. amount is in minor units'}.`,
    { sent: false },
  );
}

function pick(fields: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

function noCard({ fields }: RequestBody): Failure {
  const token = 'card_token' in fields ? '--card-token TOKEN, ' : '';
  return usage(
    'card-missing',
    'No card given.',
    `Give ${token}--card-file FILE (- for stdin), or --test-card NAME on a profile that is not live.`,
  );
}

function cardOf(body: JsonObject, place: CardPlace): JsonObject {
  const card = place.path.length === 0 ? body : valueAt(body, place.path);
  return isObject(card) ? card : {};
}

/** @throws Failure usage if a number or a word is not valid */
function bodyOfFlags(request: RequestBody, flags: FlagValues): JsonObject {
  const body: JsonObject = {};
  for (const field of fieldsOf(request)) {
    const value = flags[field.flag];
    if (typeof value === 'boolean') setAt(body, field.path, value);
    if (typeof value === 'string') setAt(body, field.path, valueOfFlag(field, value));
  }
  return body;
}

/** @returns the card's fields where the body has its card; no field without a card */
function atPlace({ path: [name] }: CardPlace, card: JsonObject): JsonObject {
  return name === undefined || Object.keys(card).length === 0 ? card : { [name]: card };
}

/** @returns the fields of all sources. Of two that give the same field, the later one counts */
function merged(sources: readonly JsonObject[]): JsonObject {
  const body: JsonObject = {};
  for (const [name, value] of sources.flatMap((source) => Object.entries(source))) {
    const earlier = Object.hasOwn(body, name) ? body[name] : undefined;
    setAt(body, [name], isObject(earlier) && isObject(value) ? { ...earlier, ...value } : value);
  }
  return body;
}

/**
 * @param words that gateways are known to accept
 * @returns the word as gateways write it
 * @throws Failure usage for any other word: a mistyped one would be sent, and rejected
 */
export function knownWord(flag: string, text: string, words: readonly string[]): string {
  const typed = text.trim().toLowerCase();
  const word = words.find((one) => one.toLowerCase() === typed);
  if (word !== undefined) return word;
  const meant = nearest(typed, words);
  throw usage(
    'word-unknown',
    `--${flag} ${quotedText(text)} is no ${flag} that gw knows.`,
    `${meant === undefined ? '' : `Did you mean ${meant}? `}gw knows ${words.join(', ')}. If your gateway has another word, give it with --input FILE.`,
  );
}

function valueOfFlag({ flag, type, path, words }: Field, text: string): string | number {
  if (type === 'integer') return parseInteger(flag, text);
  if (words) return knownWord(flag, text, words);
  if (type === 'expiry') return sentExpiry(text);
  return path.at(-1) === 'currency' ? currencyCode(text) : text;
}
