/** Prompts for what is missing from a body, when a person is there to answer. */

import type { JsonObject } from '../base/json.ts';
import { setAt, valueAt } from '../base/json.ts';
import { isCardNumber } from '../contract/card-number.ts';
import { MAX_AMOUNT } from '../contract/money.ts';
import {
  type CardPlace,
  type Field,
  fieldsOf,
  lackingBeside,
  type RequestBody,
} from '../contract/request.ts';
import { usage } from '../failure.ts';
import type { Host } from '../host/host.ts';

/** Asks for each required field that the body lacks. Card fields have their own prompts. */
export async function askForFields(
  host: Host,
  request: RequestBody,
  body: JsonObject,
): Promise<void> {
  for (const field of missingFields(request, body)) {
    const question = `${label(field)}${field.type === 'integer' ? ' (minor units: 2500 is 25.00)' : ''}:`;
    const answer = await host.prompts.text(question, {
      check: (value) => checkAnswer(field, value),
    });
    setAt(body, field.path, field.type === 'integer' ? Number(answer) : answer);
  }
}

/** @throws Failure usage that names the flag of every required field that the body lacks */
export function refuseMissing(request: RequestBody, body: JsonObject): void {
  const missing = missingFields(request, body).map(flagsOf);
  if (missing.length === 0) return;
  throw usage(
    'field-missing',
    `Missing: ${missing.join(', ')}.`,
    'Nothing was sent. Add what is missing, or give the whole body with --input FILE.',
  );
}

function flagsOf({ flag, type }: Field): string {
  if (flag === 'amount') return '--amount (or --decimal-amount)';
  return type === 'boolean' ? `--${flag} (or --no-${flag})` : `--${flag}`;
}

function missingFields(request: RequestBody, body: JsonObject): Field[] {
  return fieldsOf(request).filter(
    (field) => field.required && !field.isCard && valueAt(body, field.path) === undefined,
  );
}

function checkAnswer(field: Field, value: string): string | true {
  if (value.trim() === '') return `${label(field)} can't be blank`;
  if (field.type === 'integer' && !/^[1-9]\d{0,14}$/.test(value))
    return `A whole number from 1 to ${MAX_AMOUNT}`;
  return true;
}

function label(field: Field): string {
  const words = (field.path.at(-1) ?? '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Asks for the card: number and CVV are never shown. */
export async function askForCard(
  host: Host,
  { expiry: expiryField, cvvIsOptional }: CardPlace,
): Promise<JsonObject> {
  const number = await host.prompts.hidden('Card number (not shown):', {
    check: (value) => {
      const digits = value.replace(/[ -]/g, '');
      return isCardNumber(digits) || 'Not a valid card number: check the digits';
    },
  });
  const holder = await host.prompts.text('Name on the card:', {
    check: (value) => value.trim() !== '' || "Can't be blank",
  });
  const expiry = await askForExpiry(host);
  const cvv = await askForCvv(host, cvvIsOptional);
  const card: JsonObject = {
    card_number: number.replace(/[ -]/g, ''),
    card_holder: holder,
    [expiryField]: expiry,
  };
  return cvv === '' ? card : { ...card, cvv };
}

/** Asks for what a body with a card number needs beside it: its expiry and its CVV. */
export async function askForRestOfCard(
  host: Host,
  request: RequestBody,
  body: JsonObject,
): Promise<void> {
  for (const { path } of lackingBeside(request, body))
    setAt(body, path, path.at(-1) === 'cvv' ? await askForCvv(host) : await askForExpiry(host));
}

function askForExpiry({ prompts }: Host): Promise<string> {
  return prompts.text('Expiry (MM/YYYY):', {
    check: (value) =>
      /^(0[1-9]|1[0-2])\/\d{4}$/.test(value) || 'Write it as MM/YYYY, for example 05/2031',
  });
}

function askForCvv({ prompts }: Host, isOptional = false): Promise<string> {
  return prompts.hidden(
    isOptional ? 'CVV (not shown; empty when there is none):' : 'CVV (not shown):',
    {
      check: (value) =>
        /^\d{3,4}$/.test(value) || (isOptional && value === '') || 'Three or four digits',
    },
  );
}
