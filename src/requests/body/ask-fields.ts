/** Asks for what is missing from a body, when a person is there to answer. */

import { type JsonObject, setAt, valueAt } from '../../base/json.ts';
import { capitalised } from '../../base/text.ts';
import { gatewayTime } from '../../client/gateway-time.ts';
import type { Profile } from '../../client/profiles/profile.ts';
import { cardPlaceOf, type Field, fieldsOf, type RequestBody } from '../../contract/request.ts';
import { usage } from '../../failure.ts';
import type { Choice, Host } from '../../host/host.ts';
import type { Dialog } from '../asking.ts';
import { idToChange } from '../known/named-record.ts';
import { choicesOf } from '../known-choices.ts';
import type { Questions } from '../questions.ts';
import { askForAmount, askForCurrency } from './ask-amount.ts';
import { addCard, askForCard, askForExpiry } from './ask-card.ts';
import { checkNoCard, pickOrType } from './pick-or-type.ts';

/** A body while its questions are asked, which set what they ask for. */
interface DraftBody {
  body: JsonObject;
  /** ISO 4217 code that the user gave before. */
  said: string | undefined;
  /** ISO 4217 code of its amount, as far as known. */
  currency: string | undefined;
}

/** Asks for each required field that the body lacks. Card fields have their own prompts. */
export async function askForFields(
  asking: Dialog,
  request: RequestBody,
  draft: DraftBody,
): Promise<void> {
  const { body } = draft;
  for (const field of missingFields(request, body))
    await askForField(asking, request, field, draft);
  await askForReference(asking.questions, request, body);
  await askForUsual(asking, request, body);
}

/**
 * Asks which fields of a record to change, at least one, and for their new values.
 * @param request of an update
 */
export async function askForChanges(
  asking: Dialog,
  request: RequestBody,
  draft: DraftBody,
): Promise<void> {
  const { body } = draft;
  for (;;) {
    const left = changesLeft(request, body);
    const choices = left.map((field) => ({ value: field.flag, ...wordsOfChange(field) }));
    const isFirst = Object.keys(body).length === 0;
    const done = isFirst ? [] : [{ value: '', name: 'Nothing else' }];
    if (choices.length === 0) return;
    const flag = await asking.questions.select(isFirst ? 'Change what?' : 'Change what else?', [
      ...done,
      ...choices,
    ]);
    const field = left.find((one) => one.flag === flag);
    if (!field) return;
    await askForField(asking, request, field, draft);
  }
}

/** A new card is one choice. It stands beside the details of the stored one, until one of these was changed. */
function changesLeft(request: RequestBody, body: JsonObject): Field[] {
  const isOpen = ({ path }: Field) => valueAt(body, path) === undefined;
  const fields = fieldsOf(request).filter(({ flag }) => flag !== 'cvv');
  const hasCard = fields.some((field) => field.isCard && !isOpen(field));
  return fields.filter((field) => isOpen(field) && !(hasCard && field.flag === 'card-number'));
}

function wordsOfChange(field: Field): Omit<Choice, 'value'> {
  if (field.flag === 'card-number')
    return { name: 'New card', hint: 'its number, name, expiry and CVV' };
  return { name: label(field), ...(field.isCard && { hint: 'of the stored card' }) };
}

async function askForField(
  asking: Dialog,
  request: RequestBody,
  field: Field,
  draft: DraftBody,
): Promise<void> {
  const { questions } = asking;
  if (field.flag === 'amount') return askForMoney(questions, request, draft);
  const place = cardPlaceOf(request);
  if (field.flag === 'card-number' && place)
    return addCard(draft.body, place, await askForCard(asking, place));
  const set = (value: string | boolean) => {
    setAt(draft.body, field.path, value);
    questions.answer(field.flag, value);
  };
  if (field.type === 'expiry') return set(await askForExpiry(asking));
  const words = field.type === 'boolean' ? ['yes', 'no'] : field.words;
  if (words) {
    const choices = words.map((word) => ({ value: word, name: word }));
    const word = await questions.select(`${label(field)}:`, choices);
    return set(field.type === 'boolean' ? word === 'yes' : word);
  }
  const name = field.path.join('.');
  const known = await choicesOf(asking, name);
  const aside = known ? ' (none known yet; type its id)' : '';
  const typed = await pickOrType(questions, label(field), known, aside);
  return set(
    name === 'customer' ? await idToChange(asking, asking.operation, 'customer', typed) : typed,
  );
}

async function askForMoney(
  questions: Questions,
  request: RequestBody,
  draft: DraftBody,
): Promise<void> {
  const { body, said } = draft;
  draft.currency ??= await askForCurrency(questions);
  const { currency } = draft;
  if (currency !== undefined && said === undefined) questions.answer('currency', currency);
  if (currency !== undefined && 'currency' in request.fields) body.currency = currency;
  const amount = await askForAmount(questions, currency);
  body.amount = amount;
  questions.answer('amount', String(amount));
}

/** Asks for an optional reference, but only together with required fields. */
async function askForReference(
  questions: Questions,
  request: RequestBody,
  body: JsonObject,
): Promise<void> {
  const field = fieldsOf(request).find(({ flag }) => flag === 'reference');
  const isOwn = field && !field.required && !request.isPartial;
  if (!isOwn || !questions.wereAsked || body.reference !== undefined) return;
  const question = 'Reference (your own; empty for none):';
  const reference = (await questions.text(question, { check: checkNoCard })).trim();
  if (reference === '') return;
  body.reference = reference;
  questions.answer('reference', reference);
}

/** Asks for other optional fields together with required ones, and suggests their usual value. */
async function askForUsual(
  { host, session, questions }: Dialog,
  request: RequestBody,
  body: JsonObject,
): Promise<void> {
  for (const field of fieldsOf(request)) {
    const { usually, path, flag } = field;
    if (!usually || !questions.wereAsked || valueAt(body, path) !== undefined) continue;
    const { problemsOf } = await import('../../contract/check.ts');
    const check = (value: string) => {
      const typed: JsonObject = {};
      setAt(typed, path, value.trim());
      const problems = problemsOf(request, typed);
      const wrong = problems.find((one) => one.field === path.join('.'));
      return !wrong || `The ${label(field).toLowerCase()} ${wrong.problem}`;
    };
    const question = `${label(field)} (YYYY-MM-DD):`;
    const initial = await gatewayDay(host, session.profile);
    const value = (await questions.text(question, { initial, check })).trim();
    setAt(body, path, value);
    questions.answer(flag, value);
  }
}

/** @returns the current day, YYYY-MM-DD. The test gateway's days are those of UTC. */
async function gatewayDay(
  host: Pick<Host, 'clock' | 'env' | 'files' | 'stderr'>,
  profile: Profile,
): Promise<string> {
  const { timeZoneOf } = await import('../../host/machine-zone.ts');
  const zone = timeZoneOf(host, profile.environment === 'local' ? 'UTC' : undefined);
  return zone.dayOf((await gatewayTime(host, profile)).getTime());
}

/**
 * @param instead further flags that give an amount
 * @throws Failure usage that names the flag of every required field that the body lacks
 */
export function refuseMissing(
  request: RequestBody,
  body: JsonObject,
  instead: readonly string[] = [],
): void {
  const missing = missingFields(request, body).map((field) => flagsOf(field, instead));
  if (missing.length === 0) return;
  throw usage(
    'field-missing',
    `Missing: ${missing.join(', ')}.`,
    'Add what is missing, or give the whole body with --input FILE.',
  );
}

function flagsOf({ flag, type }: Field, instead: readonly string[]): string {
  if (flag === 'amount') return `--amount (or ${['--decimal-amount', ...instead].join(', ')})`;
  return type === 'boolean' ? `--${flag} (or --no-${flag})` : `--${flag}`;
}

function missingFields(request: RequestBody, body: JsonObject): Field[] {
  return fieldsOf(request).filter(
    (field) => field.required && !field.isCard && valueAt(body, field.path) === undefined,
  );
}

function label(field: Field): string {
  const words = (field.path.at(-1) ?? '').replaceAll('_', ' ').replace(/^ip\b/, 'IP');
  return capitalised(words);
}
