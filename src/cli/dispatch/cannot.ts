/**
 * Answers what people type for things that the interface cannot do: a sentence says so, and what to do instead. A
 * command that leaves out such words would do something else.
 *
 * Tests: test/unit/cli/dispatch/typed-words.test.ts
 */
import { shellWord } from '../../base/shell.ts';
import { wordsBeforeFlags } from './argv.ts';
import { isSecret } from './corrected.ts';

const DATE = '(?:^| )--(?:date|on|at|when|from|until|till|after|effective)\\b';
const PERIOD_END = '(?:period|term|cycle|month)[- ]?end|end[- ]of';

/** `{}` is the first value that was typed. */
const CANNOT: readonly (readonly [id: RegExp, words: RegExp, sentence: string])[] = [
  [
    /^subscription:stop$/,
    new RegExp(`${DATE}|${PERIOD_END}`),
    'The gateway stops a subscription at once, and what was paid stays paid. `gw get {}` shows the next billing date: on any day before it, run `gw subscription stop {}`.',
  ],
  [
    /^subscription:resume$/,
    new RegExp(DATE),
    'The gateway resumes a subscription at once, and charges it on its next billing date. Run `gw subscription resume {}` on the day.',
  ],
  [
    /^subscription:update$/,
    /(?:^| )--(?:plan|price|amount|frequency)\b/,
    'The gateway changes only whether a subscription is active. `gw subscription move {} --plan PLAN` moves it to another plan, and --frequency to another frequency.',
  ],
  [
    /^(?:receipt|report:.*)$/,
    /(?:^| )--pdf\b/,
    '`--html FILE` writes a page to print, and the browser keeps it as a PDF.',
  ],
  [
    /^report:(?:charges|customers?|doubles|refunds)$/,
    /(?:^| )--plan\b/,
    '`gw report month --by plan` has the sums of each plan, and `gw report charges --xlsx FILE` the plan of each payment.',
  ],
];

/**
 * @param id of a command, `subscription:stop` @param typed the words behind it
 * @returns the sentence; undefined if the words ask for nothing of the kind
 */
export function cannotSay(id: string, typed: readonly string[]): string | undefined {
  const text = typed.join(' ');
  const [, , sentence] = CANNOT.find(([one, words]) => one.test(id) && words.test(text)) ?? [];
  const value = wordsBeforeFlags(typed).find((word) => !isSecret(word));
  return sentence?.replaceAll('{}', () => (value === undefined ? 'REFERENCE' : shellWord(value)));
}
