/**
 * The flags of a command that performs one operation, by the operation's effect.
 *
 * Tests: test/unit/cli/dispatch/fast-path.test.ts, test/unit/client/guards/guard.test.ts
 */
import { TEST_CARDS } from '../../contract/cards/test-cards.ts';
import type { Operation } from '../../contract/operation.ts';
import { isRecorded, rowForRequest } from '../../contract/operations.ts';
import { type Field, fieldsOf, type RequestBody } from '../../contract/request.ts';
import { type Flag, type FlagMap, inGroup, option, toggle } from './flag.ts';
import {
  allowSecondFlag,
  confirmFlag,
  dryRunFlag,
  interactionFlags,
  journalFlags,
  noteFlag,
  outputFlags,
  overRefundFlag,
  profileFlag,
  requestFlags,
} from './global-flags.ts';

const card = inGroup('CARD');
const field = inGroup('FIELD');
const input = inGroup('INPUT');

/** @param filled the flags that a skeleton would ignore, besides those of every write */
const bodyFlags = (filled: readonly string[]) => ({
  input: input.option({
    description: 'File with the JSON body to send; - for stdin. Flags override its fields.',
    helpValue: '<file|->',
  }),
  skeleton: input.toggle({
    description: 'Print a body to fill in, then exit.',
    // biome-ignore format: names that belong together stand in one line
    exclusive: [
      ...filled, 'input', 'dry-run', 'note', 'fields', 'jq', 'raw', 'header', 'no-formulas',
    ],
  }),
});

const cardFlags = {
  'card-file': card.option({
    description: 'JSON file with card_number, card_holder, card_expiry and cvv; - for stdin.',
    helpValue: '<file|->',
    exclusive: ['test-card'],
  }),
  'test-card': card.option({
    description:
      'A test card by its name: approved, declined, by-amount, … `gw emulator cards` lists them. Not for a live profile.',
    helpValue: '<name>',
    choices: Object.keys(TEST_CARDS),
  }),
};

const decimalAmountFlag = {
  'decimal-amount': field.option({
    description: "The amount as a decimal, instead of --amount: 25.00, or '25.00 AUD'.",
    helpValue: '<decimal>',
    exclusive: ['amount'],
  }),
};

/** Flags of every command that sends one operation and prints its record. */
export function operationFlags(operation: Operation): FlagMap {
  const { body } = operation;
  // An empty input stands for the riskiest form: charges start unless a flag says otherwise.
  const asked = rowForRequest(operation, {});
  const { effect, money } = asked;
  const fields = body ? flagsFor(body) : {};
  const hasCard = 'cvv' in fields;
  const hasAmount = 'amount' in fields;
  const filled = {
    ...fields,
    ...(hasAmount ? decimalAmountFlag : {}),
    ...(hasAmount && !('currency' in fields) ? currencyFlag(money?.givesBack !== undefined) : {}),
    ...(hasCard ? cardFlags : {}),
  };
  return {
    ...filled,
    ...(body ? bodyFlags(Object.keys(filled)) : {}),
    ...(effect === 'read' ? {} : { ...dryRunFlag, ...noteFlag }),
    ...(effect === 'money' || effect === 'destroy' ? confirmFlag : {}),
    ...(isRecorded(asked) ? journalFlags : {}),
    ...(money?.givesBack ? overRefundFlag : {}),
    ...(operation.recurring ? allowSecondFlag : {}),
    ...outputFlags,
    ...(effect === 'read' ? {} : rawOfWrite),
    ...profileFlag,
    ...requestFlags,
    ...interactionFlags,
  };
}

/** A dry run gets no answer. */
const rawOfWrite = {
  raw: { ...outputFlags.raw, exclusive: [...outputFlags.raw.exclusive, 'dry-run'] },
};

const currencyFlag = (isOfPurchase: boolean) => ({
  currency: field.option({
    description: `Currency of --decimal-amount; not sent. Default: the ${isOfPurchase ? "purchase's" : "account's"}.`,
    helpValue: '<code>',
  }),
});

/** @returns a flag for each field of the body, with the interface's name in kebab-case */
function flagsFor(body: RequestBody): FlagMap {
  return Object.fromEntries(fieldsOf(body).map((field) => [field.flag, flagFor(field)]));
}

function flagFor(field: Field): Flag {
  const common = {
    description: field.description,
    helpGroup: field.isCard ? 'CARD' : 'FIELD',
    ...(field.required && !field.isCard && { asked: true as const }),
  };
  switch (field.type) {
    case 'boolean':
      return toggle({ ...common, allowNo: true });
    case 'integer':
      return option({ ...common, helpValue: '<integer>' });
    default:
      return option({
        ...common,
        helpValue: `<${field.path.at(-1)}>`,
        ...(field.words && { choices: field.words }),
      });
  }
}
