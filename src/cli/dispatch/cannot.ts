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
    /^subscription:(?:move|update)$/,
    /(?:^| )--customer\b/,
    'A subscription stays with its customer. Create one for the other, `gw subscription create --customer {value} --plan PLAN --start-date DATE`, then run `gw subscription stop {}`.',
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
  [
    /^(?:purchase|refund|customer|subscription):list$/,
    /(?:^| )--(?:sort|sort-by|order|order-by)\b/,
    'A list has the newest first. `gw report charges --largest 10` lists the largest payments of a period, and -o csv is for a sheet that sorts by any column.',
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

/**
 * Sentences for words of no command, in any order: `words & words ! words / words: sentence` needs one on each side of `&`
 * and none behind `!`, or one behind `/`.
 */
const LACKING: readonly string[] = [
  'gateway|api|service & up|down|online|offline|working|alive|available|responding|outage ! test|emulator|webhooks?: `gw doctor` asks the gateway whether it answers, and takes the credentials.',
  'retry|retries|retried & payments?|charges?|purchases?|cards?|declined?|billing ! webhooks?|events?|deliver\\w* / dunning / again & charge|try|bill ! webhooks?|events?|deliver\\w*: gw repeats no payment by itself, and the gateway only those of subscriptions, at most three times. `gw explain ID` says whether another try makes sense, and `gw help purchase create` how to charge again.',
  '3-?ds2?|3-?d[ -]?secure|sca|psd2|strong customer: The interface has no 3-D Secure and no other check of the holder of a card. `gw report declines` shows why cards were declined.',
  'signatures?|signing|hmac / webhooks? & secret|signed|verify|verification|authenticity: The gateway signs no webhooks. `gw listen --basic-auth USERNAME` takes only those with the password that gw asks for, and `gw listen --verify` asks the gateway whether each is true.',
  'purchases?|payments?|sales?|refunds? & single|one[ -]?off|one[ -]?time|each & webhooks?|events? / webhooks?|events? & (?:for|of|after|by) (?:a|the|single|each) (?:purchase|sale|payment|refund) / which|what & events?|webhooks? & purchase|sale|refund: The gateway sends webhooks of subscriptions alone: their charges, and cards that expire. The answer to a purchase or refund has its result: `gw help purchase create`.',
  'headers? & requests?|authori[sz]ation|auth|http|api|curl|basic: Each request has the username and the token of the profile as Basic authentication. `gw get ID --debug` shows the headers of a request, `gw api --openapi` describes all requests, and a dry run what a request would send.',
  'paginat\\w*|paging|next page|page (?:2|two): All rows come at once: `gw customer list --limit 1000 -o json`. With `gw api GET PATH`, `--query offset=2` asks for the second page.',
  'datev|xero|quickbooks|myob|sage|lexware|bexio|netsuite|(?:accounting|bookkeeping) & (?:file|program|software|export|import|package): gw writes no file of an accounting program. `gw report charges march --xlsx march.xlsx` writes a row for each payment, which such a program imports, and docs/bookkeeping.md has recipes for GnuCash, hledger, Ledger and Beancount.',
  'deferred|prepaid|accru\\w*|unearned|revenue recognition: Reports have what was charged, on the day of the charge, and divide nothing by periods. `gw report charges all --plan PLAN --xlsx charges.xlsx` has each charge of a plan, and `gw subscription list --plan PLAN -o csv` its subscriptions.',
  'average|mean & sale|sales|payments?|orders?|ticket|basket|purchases?: No report has averages. `gw report year --by month -o csv` has the sums and their numbers.',
  'rate[ -]?limit\\w*|throttl\\w*|quota|too many requests|requests? per: The interface names no limit for requests. A batch with `--rate 5` starts at most five in a second: `gw help purchase batch`.',
  'partial(?:ly)? captur\\w*|hold (?:money|funds|an? amount): The interface has no captures: the gateway takes the money of a purchase at once. `gw help refund create` says how it is given back.',
  'apple ?pay|google ?pay|paypal|klarna|afterpay|alipay|sepa|becs|ach|crypto|bitcoin: The interface takes cards alone: `gw help purchase create`.',
  'idempoten\\w*: The interface has no idempotency keys. gw refuses a money request that was sent before, and `gw help money` says how it knows.',
  '(?:full|whole|complete) (?:card|pan)|unmask\\w*|(?:see|show|read|find) (?:a |the )?(?:cvv|cvc|pan): Card numbers are masked and a CVV is never stored, so nobody sees them. `gw find 2346` finds a card by its last four digits.',
  'exchange rates?|fx|forex / convert|conversion & currency|currencies: gw converts no money: each currency has rows and sums of its own in every report, and `gw report month -o csv` has them for a sheet.',
  'prorat\\w*|pro[ -]rata: The gateway charges a plan whole, and divides nothing by days. `gw help subscription move` says how a plan is changed, and `gw help refund create` how a part is given back.',
  'trials?: The interface has no trials: a subscription is charged first on its start date, which may be later. `gw help subscription create` has an example.',
  'instal+ments?|split (?:a |the )?(?:payment|purchase): The interface has no instalments. A subscription charges the same amount until it is stopped: `gw help subscription create` and `gw help subscription stop`.',
  'customers?|cards?|buyers?|person|user|email & block|ban|blacklist|blocklist: The interface cannot block a customer or a card. `gw help subscription stop` says how to stop what is charged.',
  'customers? & merge|combine: The interface cannot merge customers. `gw report customers` has a row for each, and `gw help customer delete` says how one is deleted.',
  '(?:get|receive) (?:my|our|the) money|paid out: The interface shows neither payouts nor balances. `gw reconcile FILE --by settlement-day` compares the deposits of your bank with what the gateway settled.',
];

const anyOf = (group: string) => new RegExp(`(?<![\\w-])(?:${group})(?![\\w-])`);

const LACKS = LACKING.map((row) => {
  const at = row.indexOf(': ');
  const meanings = row.slice(0, at).split(' / ');
  return {
    meanings: meanings.map((words) => {
      const [needed = '', never] = words.split(' ! ');
      return {
        needed: needed.split(' & ').map(anyOf),
        never: never === undefined ? undefined : anyOf(never),
      };
    }),
    sentence: row.slice(at + 2),
  };
});

/** @param words of no command, or behind `gw help` @returns what gw says of them; undefined if it has no sentence for them */
export function lackingSay(words: readonly string[]): string | undefined {
  const text = words.join(' ').toLowerCase();
  const isMeant = ({ needed, never }: (typeof LACKS)[0]['meanings'][0]) =>
    needed.every((group) => group.test(text)) && !never?.test(text);
  return LACKS.find(({ meanings }) => meanings.some(isMeant))?.sentence;
}
