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

/** `{}` is the first value that was typed, `{value}` the one behind the words. */
const CANNOT: readonly (readonly [id: RegExp, words: RegExp, sentence: string])[] = [
  [
    /^subscription:stop$/,
    new RegExp(`${DATE}|${PERIOD_END}`),
    'The gateway stops a subscription at once, and what was paid stays paid. `gw get {}` shows the next billing date: on any day before it, run `gw subscription stop {}`.',
  ],
  [
    /^subscription:update$/,
    /(?:^| )--?(?:date|on|from|start|start-date|billing-date|billing-day|due-date|next|next-billing|next-billing-date|next-charge)(?![\w-])/,
    'Did you mean `gw subscription move {} --start-date {value}`?',
  ],
  [
    /^subscription:update$/,
    /(?:^| )--(?:plan|product)\b/,
    'Did you mean `gw subscription move {} --plan {value}`?',
  ],
  [
    /^subscription:resume$/,
    new RegExp(DATE),
    'The gateway resumes a subscription at once, and charges it on its next billing date. Run `gw subscription resume {}` on the day.',
  ],
  [
    /^subscription:update$/,
    /(?:^| )--(?:price|amount|frequency)\b/,
    'The gateway changes only whether a subscription is active. `gw subscription move {} --plan PLAN` moves it to another plan, and --frequency to another frequency.',
  ],
  [
    /^emulator:start$/,
    /(?:^| )(?:-d|--(?:detach|detached|daemon|background))(?![\w-])/,
    '`gw emulator start >url & until test -s url; do sleep 0.1; done` starts it in the background, and waits until it answers.',
  ],
  [
    /^listen$/,
    /(?:^| )--(?:print-)?secret(?![\w-])/,
    'The gateway signs no webhooks. `gw listen --basic-auth USERNAME` takes only those with the password that gw asks for.',
  ],
  [
    /^purchase:batch$/,
    /(?:^| )--test-card\b/,
    'Lines take a test card by its token: `gw tokenize --test-card {value} --jq .token` prints one for a column card_token.',
  ],
  [
    /^trigger$/,
    /(?:^| )--amount\b/,
    'Did you mean `gw trigger {} --set payload.0.response.response.amount={value}`?',
  ],
  [
    /^plan:create$/,
    /(?:^| )--(?:interval|every|frequency|period|cycle|recurring|billing-(?:interval|period|cycle))\b/,
    'A plan has a price, and each subscription to it says how often it is billed: `gw subscription create --frequency Monthly`.',
  ],
  [
    /^(?:receipt|report:.*)$/,
    /(?:^| )--pdf\b/,
    '`--html FILE` writes a page to print, and the browser keeps it as a PDF.',
  ],
  [
    /^report:(?!charges$)/,
    /(?:^| )--plan\b/,
    '`gw report charges --plan {value}` lists the payments of a plan, and `gw report month --by plan` has the sums of each plan.',
  ],
  [
    /^report:/,
    /(?:^| )--card\b/,
    '`gw find {value}` lists what was paid with a card, and `gw report month --by card` has the sums of each.',
  ],
  [
    /^report:/,
    /(?:^| )--currency\b/,
    'Each currency has rows and sums of its own in every report. `gw report charges -o csv` has the currency of each payment.',
  ],
  [
    /^report:charges$/,
    /(?:^| )--by[ =]customer\b/,
    '`gw report customers` adds up what each customer paid, and takes a period as `gw report charges` does.',
  ],
  [
    /^report:charges$/,
    /(?:^| )(?:--sort|--limit|--top|-L)\b/,
    '`gw report charges --largest 10` lists the largest amounts of a period, the largest first.',
  ],
];

/**
 * @param id of a command, `subscription:stop` @param typed the words behind it
 * @returns the sentence; undefined if the words ask for nothing of the kind
 */
export function cannotSay(id: string, typed: readonly string[]): string | undefined {
  const text = typed.join(' ');
  const [, words, sentence] = CANNOT.find(([one, words]) => one.test(id) && words.test(text)) ?? [];
  const said = words?.exec(text);
  const [, behind = 'VALUE'] =
    /^[ =](\S+)/.exec(text.slice((said?.index ?? 0) + (said?.[0].length ?? 0))) ?? [];
  const value = wordsBeforeFlags(typed).find((word) => !isSecret(word));
  return sentence
    ?.replaceAll('{}', () => (value === undefined ? 'REFERENCE' : shellWord(value)))
    .replaceAll('{value}', () => (isSecret(behind) ? 'VALUE' : shellWord(behind)));
}
