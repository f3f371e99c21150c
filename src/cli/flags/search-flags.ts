/** The filters of commands that list from the index. */

import { MOST_DECIMALS } from '../../contract/currency.ts';
import { parseDecimal } from '../../contract/money.ts';
import { usage } from '../../failure.ts';
import { timeZoneOf } from '../../host/machine-zone.ts';
import {
  THING_KINDS,
  THING_OUTCOMES,
  type ThingKind,
  type ThingOutcome,
} from '../../things/thing.ts';
import type { AmountFilter, MoneyCondition, SearchFilter } from '../../things/thing-index.ts';
import type { OutputOptions } from '../../view/print-records.ts';
import { outputOptions } from './command-options.ts';
import { type FlagValuesOf, inGroup } from './flag.ts';
import { parseInteger, readingsOf } from './parse-number.ts';
import {
  CARD_MONTHS,
  checkOrder,
  parseCardMonths,
  parseEnd,
  parseTime,
  TIMES,
  timeZoneFlag,
} from './parse-time.ts';
import { type ProfileChoice, profileChoice } from './whose.ts';

const filter = inGroup('FILTER');

/** Words to search for; every command that lists from the index takes them. */
export const textArg = {
  text: {
    description: 'Words to look for: names, emails, references, ids, amounts, dates, card digits.',
  },
} as const;

export const kindFlag = {
  kind: filter.option({
    description: `Only these kinds, separated by commas: ${THING_KINDS.join(', ')}. May be repeated.`,
    helpValue: '<kinds>',
    choices: THING_KINDS,
    multiple: true,
  }),
};

/** @param texts the values of `--kind` @throws Failure usage if a word in them is not a kind */
export function readKinds(texts: readonly string[] | undefined): ThingKind[] | undefined {
  return readWords('kind', texts, THING_KINDS);
}

/** @throws Failure usage if a word in the values of a flag is none of the known ones */
function readWords<Word extends string>(
  flag: 'kind' | 'outcome',
  texts: readonly string[] | undefined,
  known: readonly Word[],
): Word[] | undefined {
  return texts
    ?.flatMap((text) => text.split(','))
    .map((word) => {
      const typed = word.trim().toLowerCase();
      const meant = known.find((one) => one === typed || one === SAME_OUTCOMES[typed]);
      if (meant !== undefined) return meant;
      throw usage(
        flag === 'kind' ? 'kind-unknown' : 'no-such-outcome',
        `--${flag} takes ${flag}s separated by commas, not ${JSON.stringify(word)}.`,
        `The ${flag}s are ${known.join(', ')}. For example --${flag} ${known.slice(0, 2).join(',')}.`,
      );
    });
}

/** @param known those of the command @throws Failure usage if a word in the values of `--outcome` is none of them */
export function readOutcomes<Word extends string>(
  texts: readonly string[] | undefined,
  known: readonly Word[],
): Word[] | undefined {
  return readWords('outcome', texts, known);
}

/** Names that other programs have for outcomes. */
const SAME_OUTCOMES: Readonly<Record<string, ThingOutcome>> = {
  authorized: 'authorised',
  canceled: 'stopped',
  cancelled: 'stopped',
  failed: 'declined',
  refused: 'declined',
  succeeded: 'approved',
  successful: 'approved',
};

/** A filter of outcomes, which `listOptions` reads. */
export const outcomeFlagOf = (choices: readonly string[], what: string) => ({
  outcome: filter.option({
    description: `Only ${what}, separated by commas: ${choices.join(', ')}.${choices.includes('abandoned') ? ' With declined, those abandoned are listed too.' : ''}`,
    helpValue: '<outcomes>',
    choices,
    multiple: true,
  }),
});

const outcomeFlag = outcomeFlagOf(
  THING_OUTCOMES,
  'these outcomes; of a request, the state of its entry',
);

/** The beginning and end of the range. */
export const rangeFlags = {
  since: filter.option({
    description: `Only what happened at this time or later: ${TIMES}. --from is the same.`,
    helpValue: '<time>',
  }),
  until: filter.option({
    description: 'Only what happened before this time. A date includes that day. --to is the same.',
    helpValue: '<time>',
  }),
};

/** The range, and the time zone in which it is read. */
export const whenFlags = {
  ...rangeFlags,
  'time-zone': { ...timeZoneFlag['time-zone'], helpGroup: 'FILTER' },
};

export const amountFlags = {
  amount: filter.option({
    description:
      'Only this amount of money, in any currency: 45 is 45.00, and 45 where a currency has no decimals.',
    helpValue: '<amount>',
  }),
  min: filter.option({
    description: 'Only this amount or more, written like --amount.',
    helpValue: '<amount>',
    exclusive: ['amount'],
  }),
  max: filter.option({
    description: 'Only this amount or less, written like --amount.',
    helpValue: '<amount>',
    exclusive: ['amount'],
  }),
};

export const allProfilesFlag = {
  'all-profiles': filter.toggle({
    description: 'Results of all profiles, each with the name of its profile.',
  }),
};

/** The profiles whose rows are listed; `profileScope` reads these flags. */
export const ofProfileFlags = {
  profile: filter.option({
    char: 'p',
    description: 'Only results of this profile. Default: the profile in use.',
    helpValue: '<name>',
  }),
  ...allProfilesFlag,
};

export const referenceFlag = {
  reference: filter.option({
    description: 'Only this reference: all of it, in the same letters.',
    helpValue: '<reference>',
  }),
};

/** For commands that list customers. */
export const expiresFlag = {
  expires: filter.option({
    description: `Only customers whose cards expire then: ${CARD_MONTHS}. gw knows the date of a card that has paid, or was stored from here.`,
    helpValue: '<month>',
  }),
};

/** Commands take it that list the charges of a plan. */
export const planFlag = {
  plan: filter.option({
    description: 'Only subscriptions of this plan and their charges, by its name, reference or id.',
    helpValue: '<plan>',
  }),
};

/** For commands that list or sum up requests that were sent. */
export const operatorFlag = {
  operator: filter.option({
    description: 'Only what this operator sent, named as in GW_OPERATOR or user@host; `me` is you.',
    helpValue: '<name>',
  }),
};

/** The filters of every list from the index. */
export const filterFlags = {
  ...referenceFlag,
  ...outcomeFlag,
  ...amountFlags,
  ...whenFlags,
  ...ofProfileFlags,
};

/** @param standard the number of rows by default */
export const limitFlag = (standard: string, description = 'Results to show, newest first.') => ({
  limit: filter.option({
    char: 'L',
    description,
    helpValue: '<integer>',
    default: standard,
  }),
});

/** Rows of a list on a screen; a file or a program wants all of them, within what a machine holds at once. */
const [MOST_SHOWN, MOST_WRITTEN] = [50, 10_000];

/**
 * The limit of a list that people also keep as a file.
 * @param mostShown the number of rows on a screen, which `limitOf` is given too
 */
export const listLimitFlag = (what = 'Results to show, newest first', mostShown = MOST_SHOWN) => ({
  limit: filter.option({
    char: 'L',
    description: `${what}. Default: ${mostShown}; ${MOST_WRITTEN} with -o csv, tsv, json, jsonl, yaml and id.`,
    helpValue: '<integer>',
  }),
});

const WRITTEN: readonly OutputOptions['format'][] = ['csv', 'tsv', 'json', 'jsonl', 'yaml', 'id'];

/**
 * @param typed the value of `listLimitFlag`
 * @returns the most rows: those typed, or else more for a file or a program than for a screen
 * @throws Failure usage if it is not a number
 */
export function limitOf(
  typed: string | undefined,
  { jq, format, workbook, page }: OutputOptions,
  mostShown = MOST_SHOWN,
): number {
  if (typed !== undefined) return parseInteger('limit', typed);
  const isWritten = (jq ?? workbook ?? page) !== undefined || WRITTEN.includes(format);
  return isWritten ? MOST_WRITTEN : mostShown;
}

type SearchFlags = Partial<
  FlagValuesOf<typeof filterFlags & typeof operatorFlag & typeof expiresFlag & typeof planFlag>
>;

/** The search, as it was typed. Its times are in the zone of the output. */
export interface SearchOptions {
  since: string | undefined;
  until: string | undefined;
  reference: string | undefined;
  outcome: readonly string[] | undefined;
  amount: string | undefined;
  min: string | undefined;
  max: string | undefined;
  operator: string | undefined;
  expires?: string | undefined;
  plan?: string | undefined;
  output: OutputOptions;
}

/** A list: the search, and the most rows. */
export interface ListOptions extends SearchOptions, ProfileChoice {
  limit: number;
}

/**
 * @param outcomes those that the command knows
 * @param mostShown the number of rows on a screen, unless the user says how many
 * @returns the options that `filterFlags`, `limitFlag` or `listLimitFlag`, and `printFlags` give
 * @throws Failure usage if the limit is not a number, or an outcome is none
 */
export function listOptions(
  flags: SearchFlags & Parameters<typeof outputOptions>[0] & { limit?: string | undefined },
  outcomes: readonly string[] = THING_OUTCOMES,
  mostShown = MOST_SHOWN,
): ListOptions {
  const { since, until, reference, outcome, amount, min, max, operator, expires, plan } = flags;
  const output = outputOptions(flags);
  return {
    since,
    until,
    reference,
    outcome: readOutcomes(outcome, outcomes),
    amount,
    min,
    max,
    operator,
    expires,
    plan,
    ...profileChoice(flags),
    limit: limitOf(flags.limit, output, mostShown),
    output,
  };
}

/** Conditions of a person that no column of the index has. */
export interface AskedFilter {
  /** The days on which the card of a customer expires. */
  expires?: ReturnType<typeof parseCardMonths> | undefined;
  /** The name, reference or id of a plan, for `SearchFilter.plans`. */
  plan?: string | undefined;
}

/**
 * @param now the time to which `2h` and `yesterday` refer
 * @returns the filter without the profile
 * @throws Failure usage if an option cannot be read
 */
export function readSearchFilter(
  host: Parameters<typeof timeZoneOf>[0],
  options: SearchOptions,
  now: Date,
): SearchFilter & AskedFilter {
  const zone = timeZoneOf(host, options.output.timeZone);
  const { reference, outcome, operator, expires, plan } = options;
  const { since: from, until: to } = options;
  const since = from === undefined ? undefined : parseTime('since', from, now, zone);
  const until = to === undefined ? undefined : parseEnd('until', to, now, zone);
  if (from && to && since && until) checkOrder({ since, until }, { since: from, until: to });
  return {
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(reference !== undefined && { reference }),
    ...(outcome !== undefined && { outcome }),
    ...readAmounts(options),
    ...(operator !== undefined && { operator }),
    ...(expires !== undefined && { expires: parseCardMonths(expires, now) }),
    ...(plan !== undefined && { plan }),
  };
}

/** The values of `amountFlags`, as they were typed. */
export type TypedAmounts = Pick<SearchOptions, 'amount' | 'min' | 'max'>;

/** @returns the conditions of `amountFlags` @throws Failure usage if one is no money, or nothing lies between */
export function readAmounts({ amount, min, max }: TypedAmounts): AmountFilter {
  const money = Object.entries({ amount, min, max }).flatMap(([flag, text]) =>
    text === undefined ? [] : [[flag, readAmount(flag, text)] as const],
  );
  const amounts: AmountFilter = Object.fromEntries(money);
  if (amounts.min !== undefined && amounts.max !== undefined) checkRange(amounts.min, amounts.max);
  return amounts;
}

/** @throws Failure usage if nothing lies between */
function checkRange(min: string, max: string): void {
  if (!(tenThousandths(min) > tenThousandths(max))) return;
  throw usage(
    'amount-range-empty',
    `--min ${min} is more than --max ${max}.`,
    'Give --min the smaller amount, such as --min 20 --max 25.50.',
  );
}

/** @returns a whole number, because a decimal is not exact as a double: 1.1 * 100 is above 110; NaN if it is none */
function tenThousandths(money: MoneyCondition): number {
  return parseDecimal(money, MOST_DECIMALS) ?? Number.NaN;
}

/** A currency's sign may stand on either side. */
const MONEY = /^(?:[$€£¥] ?)?([\d.,' ]*\d)(?: ?[$€£¥])?$/;

/** @returns money as people write it: `45`, `45,00`, `$45` and `1,250.00` are 45, 45.00, 45 and 1250.00 */
function readAmount(flag: string, text: string): MoneyCondition {
  const [, number = ''] = MONEY.exec(text.trim()) ?? [];
  const [reading] = readingsOf(number);
  const { whole = '', fraction = '' } = reading ?? {};
  const money = whole.replaceAll(/\D/g, '') + (fraction === '' ? '' : `.${fraction}`);
  // The search computes with ten thousandths, and a server takes no number of more than 64 bits.
  if (Number.isSafeInteger(tenThousandths(money))) return money;
  throw usage(
    'amount-invalid',
    `--${flag} takes an amount of money, not ${JSON.stringify(text)}.`,
    `Write it without its currency, for example --${flag} 45 or --${flag} 45.50.`,
  );
}

/** @returns how whole numbers of the amount flags were read, as a sentence for a search that found nothing; may be empty */
export function amountReading({ amount, min, max }: TypedAmounts): string {
  const read = Object.entries({ amount, min, max }).flatMap(([flag, text]) =>
    text !== undefined && /^\d+$/.test(text) ? `--${flag} ${text} is ${text}.00` : [],
  );
  return read.length === 0
    ? ''
    : `Amounts are money, not minor units: ${read.join(', ')}, or without decimals where a currency has none.\n`;
}
