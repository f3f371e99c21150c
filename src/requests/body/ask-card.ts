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
import type { CardPlace } from '../../contract/request.ts';
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
  'insufficient-funds': 'test card, declined for lack of funds',
  'expired-card': 'test card, declined as expired',
  'by-amount': "test card, decided by the amount's last two digits",
};

/**
 * Asks for a card, or for what a given one lacks. It may be typed or a token; where no real cards are at stake, a test
 * card from a list.
 * @param given the details of the card that are known already
 * @param takesToken whether the body takes a token in place of a card
 * @returns the fields to add, under the names of the place; `card_token` replaces all of them
 */
export async function askForCard(
  asking: Dialog,
  place: CardPlace,
  given: JsonObject = {},
  takesToken = false,
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
  return typeCard(asking, place, given);
}

/** Sets the details of a card in a body. */
export function addCard(body: JsonObject, { path }: CardPlace, card: JsonObject): void {
  for (const [name, value] of Object.entries(card)) setAt(body, [...path, name], value);
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
  { expiry, cvvIsOptional, holderIsOptional, isExpected }: CardPlace,
  given: JsonObject,
): Promise<JsonObject> {
  const { questions } = asking;
  const hasNumber = given.card_number !== undefined;
  const check = (value: string) =>
    /\d\s*[/-]\s*\d/.test(value)
      ? 'This looks like an expiry. Type the name first, as it is printed on the card'
      : checkTyped('The name', value);
  const asked: [string, () => Promise<string>][] = [
    ['card_number', () => askForNumber(questions)],
    ['card_holder', () => questions.text('Name on the card:', { check })],
    [expiry, () => askForExpiry(asking)],
    ['cvv', () => askForCvv(questions, cvvIsOptional)],
  ];
  const card: JsonObject = {};
  for (const [name, ask] of asked) {
    const isLeftOut = name === 'card_holder' && hasNumber && holderIsOptional;
    if (given[name] !== undefined || isLeftOut) continue;
    questions.answer('card-file', '-', { isAskedAgain: isExpected || hasNumber });
    card[name] = await ask();
  }
  const { cvv, ...rest } = card;
  return cvv === '' ? rest : card;
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

/** Asks until it is a month that has not passed. @returns the month, MM/YYYY */
export async function askForExpiry({ host, session, questions }: Dialog): Promise<string> {
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
