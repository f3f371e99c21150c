/**
 * Builds the body of a request from everything that a user may give. That is `--input`, flags that override its fields,
 * and a card from one source. If a person is there, gw asks for the rest.
 */

import { withTrimmedTexts } from '../../base/clean-text.ts';
import { isObject, type JsonObject, setAt, valueAt } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { quotedText } from '../../base/shell.ts';
import { isLimited } from '../../client/connection/guard.ts';
import type { RequestOptions } from '../../client/connection/request-options.ts';
import {
  currenciesIn,
  decimalsIn,
  otherCurrency,
  saidCurrency,
} from '../../client/exchange/said-money.ts';
import type { Profile } from '../../client/profiles/profile.ts';
import { isCardNumber } from '../../contract/cards/card-number.ts';
import { holdsCardNumber } from '../../contract/cards/find-card-numbers.ts';
import { currencyCode } from '../../contract/currency.ts';
import { sentExpiry } from '../../contract/expiry.ts';
import { AMOUNTS, forgive } from '../../contract/forgiving.ts';
import { fitsDecimal } from '../../contract/money.ts';
import {
  type CardPlace,
  cardPlaceOf,
  type Field,
  fieldsOf,
  type RequestBody,
} from '../../contract/request.ts';
import { type Failure, usage } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import type { FlagValues } from '../flags/flag.ts';
import { currencyOfCharges, parseInteger } from '../flags/parse-number.ts';
import { askForCard, askForRestOfCard } from './ask-card.ts';
import { askForChanges, askForFields, type FieldPrompter, refuseMissing } from './ask-fields.ts';
import { readCard, refuseCardOnArgv, refuseExpiredCard } from './card-input.ts';
import { readDecimalAmount } from './decimal-amount.ts';
import type { Questions } from './questions.ts';
import { readJsonObject, withoutNulls } from './read-input.ts';
import { saidByFlags } from './said-flags.ts';

/** The circumstances of a body: its profile, and the person to ask. */
export interface BodyPlace {
  host: Host;
  profile: Profile;
  options: Pick<RequestOptions, 'mayAsk'>;
  questions: Questions;
  choicesOf: FieldPrompter['choicesOf'];
  /** @returns the time by which the gateway judges cards */
  now(): Promise<Date>;
}

/** Facts about a body that its own flags do not give. */
export interface KnownOfBody {
  /** Fields that something other than their own flag gives. */
  fields?: JsonObject;
  /** Flags that give the amount in place of --amount. */
  instead?: readonly string[];
  /**
   * For a body that has no field for it.
   * @param said ISO 4217 code that the user gave
   * @returns the currency of this body's amount, as the gateway shows it; otherwise the one that was given, if any
   * @throws Failure usage if they differ
   */
  currencyOf?(body: JsonObject, said: string | undefined): Promise<string | undefined>;
}

export interface BuiltBody {
  body: JsonObject;
  /** ISO 4217 code in which its amount was read, if one was needed. */
  currency: string | undefined;
}

/**
 * A decimal is read in a currency that is sent with it, or that the gateway shows. The profile's is sent with a purchase
 * that names none, if its amount was read in it or a limit is in it.
 * @throws Failure usage if the body is incomplete or cannot be read; nothing was sent then
 */
export async function buildBody(
  at: BodyPlace,
  request: RequestBody,
  flags: FlagValues,
  known: KnownOfBody = {},
): Promise<BuiltBody> {
  const { profile, options, questions } = at;
  const place = cardPlaceOf(request);
  refuseCardOnArgv(flags, profile.environment, place);
  refuseTwoReaders(flags);
  const body = { ...known.fields, ...(await readFiles(at, request, flags, place)) };
  applyFlags(body, request, flags);
  Object.assign(body, known.fields);
  const said = currencySaid(body, flags);
  let currency = await readAmount(
    at,
    request,
    { body, said, decimal: flags['decimal-amount'] },
    known,
  );
  if (place) await refuseExpiredCard(cardOf(body, place), place, at.now);
  refuseNumberAsToken(body);
  if (options.mayAsk)
    (await import('../../contract/check.ts')).checkGiven(
      request,
      body,
      saidByFlags(request, flags),
    );
  await completeCard(at, request, body);
  const desk = {
    ...at,
    async currencyOf(ask: () => Promise<string | undefined>) {
      currency ??= (await learnCurrency(at, body, said, known)) ?? (await ask());
      if (currency !== undefined && said === undefined) questions.answer('currency', currency);
      return currency;
    },
    today: () => dayAt(at),
  };
  if (!options.mayAsk) refuseMissing(request, body, known.instead);
  else if (request.isPartial && Object.keys(body).length === 0)
    await askForChanges(desk, request, body);
  else await askForFields(desk, request, body);
  if ('amount' in request.fields) refuseOtherDecimal(body, currency);
  return { body, currency };
}

/**
 * Reads a decimal amount into the body, and gives a purchase the currency in which its amount or a limit is read.
 * @returns the ISO 4217 code of that currency; undefined if none was needed
 * @throws Failure usage if the amount or its currency is not valid
 */
async function readAmount(
  at: BodyPlace,
  request: RequestBody,
  { body, said, decimal }: { body: JsonObject; said: string | undefined; decimal: unknown },
  known: KnownOfBody,
): Promise<string | undefined> {
  if (!('amount' in request.fields)) return undefined;
  const { profile } = at;
  if (!known.currencyOf) refuseWithdrawn(said, profile);
  const isDecimal = decimal !== undefined || decimalsIn(body).length > 0;
  const isLimit = isLimited(profile) && body.amount !== undefined;
  const isSent = 'currency' in request.fields && (isDecimal || isLimit);
  const isCompared = known.currencyOf !== undefined && currenciesIn({ body, currency: said })[0];
  if (!isDecimal && !isSent && !isCompared) return undefined;
  const currency = await learnCurrency(at, body, said, known);
  if (typeof decimal === 'string') body.amount = readDecimalAmount(decimal, currency);
  if (isDecimal || isCompared) refuseOtherCurrency(body, currency);
  if (isSent && currency !== undefined) body.currency ??= currency;
  return currency;
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

async function learnCurrency(
  { profile }: BodyPlace,
  body: JsonObject,
  said: string | undefined,
  known: KnownOfBody,
): Promise<string | undefined> {
  return known.currencyOf ? known.currencyOf(body, said) : (said ?? profile.currency);
}

/** The test gateway's days are those of UTC. */
async function dayAt({ host, profile, now }: BodyPlace): Promise<string> {
  const { timeZoneOf } = await import('../../host/machine-zone.ts');
  const zone = timeZoneOf(host, profile.environment === 'local' ? 'UTC' : undefined);
  return zone.dayOf((await now()).getTime());
}

/** Asks for an expected card that is missing, or for the missing part of one. */
async function completeCard(at: BodyPlace, request: RequestBody, body: JsonObject): Promise<void> {
  const { host, profile, options, questions, now } = at;
  const { environment } = profile;
  const place = cardPlaceOf(request);
  const desk = { questions, stderr: host.stderr, environment, now };
  if (place?.isExpected && !hasCard(body, place)) {
    if (!options.mayAsk) throw noCard(request);
    const given = pick(cardOf(body, place), ['card_holder', place.expiry, 'cvv']);
    const takesToken = 'card_token' in request.fields;
    putFields(body, place, await askForCard(desk, place, { given, takesToken }));
  }
  if (options.mayAsk) await askForRestOfCard(desk, request, body);
}

/**
 * Reads the files, and accepts their values in every form that deployments accept. Amounts are the exception: gw never
 * guesses about money. Flags accept the forms that a prompt accepts.
 */
async function readFiles(
  { host, profile: { environment }, now }: BodyPlace,
  request: RequestBody,
  flags: FlagValues,
  place: CardPlace | undefined,
): Promise<JsonObject> {
  const body =
    typeof flags.input === 'string'
      ? withoutNulls(await readJsonObject(host, flags.input, '--input'), request.fields)
      : {};
  if (place) putFields(body, place, await readCard({ host, environment, now }, flags, place));
  return forgive(request, withTrimmedTexts(body), AMOUNTS).body;
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

function hasCard(body: JsonObject, place: CardPlace): boolean {
  return body.card_token !== undefined || cardOf(body, place).card_number !== undefined;
}

function putFields(body: JsonObject, place: CardPlace, fields: JsonObject): void {
  for (const [name, value] of Object.entries(fields)) setAt(body, [...place.path, name], value);
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

/**
 * Copies the values of given flags over those of a body.
 * @throws Failure usage if a number is not valid
 */
function applyFlags(body: JsonObject, request: RequestBody, flags: FlagValues): void {
  for (const field of fieldsOf(request)) {
    const value = flags[field.flag];
    if (typeof value === 'boolean') setAt(body, field.path, value);
    if (typeof value !== 'string') continue;
    setAt(body, field.path, valueOfFlag(field, value));
  }
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
