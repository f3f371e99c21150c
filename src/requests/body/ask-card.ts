/**
 * Asks for a card. Its number and CVV are never shown.
 *
 * Tests: test/unit/requests/body/ask-fields.test.ts, test/unit/requests/asking.test.ts
 */
import { type JsonObject, setAt } from '../../base/json.ts';
import { quantity } from '../../base/text.ts';
import { gatewayTime } from '../../client/gateway-time.ts';
import { isCardNumber } from '../../contract/cards/card-number.ts';
import { type IssuerBehaviour, TEST_CARDS } from '../../contract/cards/test-cards.ts';
import { formatExpiry, parseTypedExpiry, sentExpiry } from '../../contract/expiry.ts';
import { type CardPlace, lackingBeside, type RequestBody } from '../../contract/request.ts';
import type { Dialog } from '../asking.ts';
import type { Questions } from '../questions.ts';
import { isPast, readTestCard } from './card-input.ts';
import { checkTyped } from './pick-or-type.ts';

/** The digits of a whole number, by ISO/IEC 7812-1. */
const FEWEST_DIGITS = 12;
const MOST_DIGITS = 19;

const TYPED = '';
const TOKEN = 'token';

const BEHAVIOURS: Readonly<Record<IssuerBehaviour, string>> = {
  approve: 'test card, always approved',
  decline: 'test card, always declined',
  'by-amount': "test card, decided by the amount's last two digits",
};

/**
 * Asks for a card. It may be typed or a token; where no real cards are at stake, a test card from a list.
 * @param given the details of the card that are known already
 * @returns the fields to add, under the names of the place; `card_token` replaces all of them
 */
export async function askForCard(
  asking: Dialog,
  place: CardPlace,
  { given, takesToken }: { given: JsonObject; takesToken: boolean },
): Promise<JsonObject> {
  const { host, session, questions } = asking;
  const { profile } = session;
  const isBegun = Object.keys(given).length > 0;
  const picked =
    profile.environment === 'live' || isBegun ? TYPED : await pickCard(questions, takesToken);
  if (picked in TEST_CARDS) {
    questions.answer('test-card', picked);
    return readTestCard(picked, place, await gatewayTime(host, profile));
  }
  if (picked === TOKEN) {
    const check = (value: string) => checkTyped('The token', value);
    const token = (await questions.text('Token:', { check })).trim();
    questions.answer('card-token', token);
    return { card_token: token };
  }
  questions.answer('card-file', '-');
  return typeCard(asking, place, given);
}

function pickCard(questions: Questions, takesToken: boolean): Promise<string> {
  // Whoever is asked for a card wants an answer, so the cards of faults are not offered.
  const tests = Object.entries(TEST_CARDS).flatMap(([name, { behaviour }]) =>
    behaviour in BEHAVIOURS
      ? [{ value: name, name, hint: BEHAVIOURS[behaviour as IssuerBehaviour] }]
      : [],
  );
  const typed = { value: TYPED, name: 'type a card', hint: 'its number, name, expiry and CVV' };
  const token = { value: TOKEN, name: 'type a token', hint: 'stands for a stored card' };
  return questions.select('Card:', [typed, ...(takesToken ? [token] : []), ...tests]);
}

async function typeCard(
  asking: Dialog,
  { expiry, cvvIsOptional }: CardPlace,
  given: JsonObject,
): Promise<JsonObject> {
  const { questions } = asking;
  const card: JsonObject = { card_number: await askForNumber(questions) };
  if (given.card_holder === undefined)
    card.card_holder = await questions.text('Name on the card:', {
      check: (value) => checkTyped('The name', value),
    });
  if (given[expiry] === undefined) card[expiry] = await askForExpiry(asking);
  const cvv = given.cvv === undefined ? await askForCvv(questions, cvvIsOptional) : '';
  return cvv === '' ? card : { ...card, cvv };
}

/** Asks for the fields that a body with a card number also needs: its expiry and its CVV. */
export async function askForRestOfCard(
  asking: Dialog,
  request: RequestBody,
  body: JsonObject,
): Promise<void> {
  for (const { path } of lackingBeside(request, body))
    setAt(
      body,
      path,
      path.at(-1) === 'cvv' ? await askForCvv(asking.questions) : await askForExpiry(asking),
    );
}

async function askForNumber(questions: Questions): Promise<string> {
  const typed = await questions.hidden('Card number (not shown):', { check: faultOfNumber });
  return digitsOf(typed) ?? '';
}

function faultOfNumber(typed: string): string | true {
  const digits = digitsOf(typed);
  if (typed.trim() === '') return 'Type the number on the card';
  if (digits === undefined)
    return 'A card number has digits only; spaces and dashes may stand between';
  const { length } = digits;
  if (length < FEWEST_DIGITS || length > MOST_DIGITS)
    return `Not a card number: ${quantity(length, 'digit', 'digits')}, and one has ${FEWEST_DIGITS} to ${MOST_DIGITS}. Type it again`;
  return (
    isCardNumber(digits) ||
    'Not a card number: a digit is wrong or in the wrong place. Type it again'
  );
}

/** @returns the digits of a number with spaces or dashes between them; undefined for anything else */
function digitsOf(text: string): string | undefined {
  return /^[\d\s-]*$/.test(text) ? text.replace(/\D/g, '') || undefined : undefined;
}

async function askForExpiry({ host, session, questions }: Dialog): Promise<string> {
  const today = await gatewayTime(host, session.profile);
  const typed = await questions.text('Expiry (MM/YY):', {
    check(value) {
      const expiry = parseTypedExpiry(value.trim());
      if (!expiry) return 'Write the month and the year, like 05/31 or 05/2031';
      return (
        !isPast(expiry, today) || `This card expired in ${formatExpiry(expiry)}: use another one`
      );
    },
    shown: sentExpiry,
  });
  return sentExpiry(typed);
}

function askForCvv(questions: Questions, isOptional = false): Promise<string> {
  return questions.hidden(
    isOptional ? 'CVV (not shown; empty when there is none):' : 'CVV (not shown):',
    {
      check: (value) =>
        /^\d{3,4}$/.test(value) || (isOptional && value === '') || 'A CVV has three or four digits',
    },
  );
}
