/**
 * Flags that people bring from other programs, and what each means here: the first of its meanings that the command has.
 *
 *   name          the value stays
 *   name=value    the word has no value of its own
 *   ^  $          the value is an argument: the first, or one more
 *   >             the value is the file that the output goes to
 *   -  -=         it is left out: alone, or with its value
 *
 * A typed name with `=` is one that has a value.
 *
 * Tests: test/unit/cli/dispatch/typed-words.test.ts
 */
import type { CommandHelp } from '../help/help-data.ts';
import { entriesOf, listed } from './words.ts';

/** The parts of a command that decide which flags and values it takes. */
export type Known = Pick<CommandHelp, 'id' | 'args' | 'flags' | 'strict'>;

const MEANINGS = `
card-expiry expiry-date expiry exp expires expiration exp-date expiration-date valid-until: card-expiry expiry-date expires
card-holder cardholder holder name-on-card cardholder-name: card-holder; card-number cardnumber number pan cc card-no: card-number
cvv cvc cvv2 cvc2 csc security-code: cvv; card-token token card source payment-method pm card-id default-source: card-token
email-address mail e-mail email: email $; first firstname given-name forename: first-name; last surname lastname family-name: last-name last-of since
zip zipcode postal-code post-code: postcode; street line1 address-line: address; town: city; region province: state
ip ip-addr client-ip customer-ip ip-address: customer-ip ip-address; label title: name; name full-name: first-name customer -=; desc: description
ref order order-id invoice invoice-number external-id merchant-reference idempotency-key: reference
price total value sum money amount decimal-amount: decimal-amount amount; cur ccy: currency; min-amount over above: min; max-amount under below: max
transaction transaction-id purchase purchase-id charge payment payment-intent txn: transaction-id $
customer customer-id client: customer $ -=; plan-id product: plan $; interval every period cycle recurring: frequency -=
from after since start begin start-date date-from created-gte: since start-date; to before until end end-date date-to created-lte: until end-date before to
date day on: start-date $ since; month week quarter year period: $ since; last-days: since; today: since=today; yesterday: since=yesterday
status state outcome result: outcome state declines=true; type types event event-type event-types: event events kind; kind object resource: kind event; q query search text term id ids name last4: $ -=
n limit L max-results per-page page-size count size rows head top: limit; page offset cursor starting-after sort sort-by order-by: -=
f format fmt output-format as out-format: field forward-to output; F d data raw-field param: field set input
o output: output -=; json: output=json -; csv: output=csv; tsv: output=tsv; yaml yml: output=yaml; jsonl ndjson: output=jsonl
table pretty text txt: output=table; excel: excel=true output=csv; xlsx xls ods workbook: xlsx excel=true output=csv; columns cols select show-fields: fields; filter template t: jq
html: html; output-file out outfile save-to O to-file: html >; fault test-error fail-with fail error inject simulate=: test-fault; dryrun dry preview simulate what-if test check noop: dry-run=true
full whole entire everything: full=true; all a: full=true limit=10000 -; parallel workers jobs j: concurrency
env environment context account merchant mode shop: environment profile; sandbox test-mode testmode: environment=sandbox profile=sandbox
live prod production: environment=live profile=live; local emulator: environment=local profile=local
yes y force assume-yes no-confirm: yes=true -; quiet q silent s color colour no-color interactive i watch follow w skip-verify latest: -
verbose v vv trace: debug=true -; non-interactive no-interactive batch-mode noninteractive: no-input=true; tz timezone zone: time-zone; utc: time-zone=UTC
url base endpoint host: base-url to forward-to; forward forward-to forward-url webhook-url: forward-to to; override: set; refused rejected undelivered not-taken: forward=refused; print-json: output=json output=jsonl; h help version: -
reason message comment memo notes description metadata meta: note; no-note no-notes no-reason without-reason: without-note=true; group-by group: by; mine me: operator=me; X method: ^; paginate: all=true -; include slurp raw: -
H header headers cache hostname metadata phone lang: -=; now immediately immediate at-once: -; active enabled: is-active=true; inactive disabled: is-active=false
api-key apikey api-token token password secret access-token: -=; file csv-file input body from-file: input $
`;

const meanings = listed(
  entriesOf(MEANINGS).flatMap(([names, meant]) =>
    names.split(' ').map((name) => [name, meant.split(' ')] as const),
  ),
);

/** @returns the names of all flags of other programs, without dashes */
export const flagWords = () => [...meanings.keys()];

/** The flag of a command that stands for a typed one. */
export interface MeantFlag {
  /** A flag of the command, perhaps with `no-`, or one of the signs above. */
  name: string;
  /** Whether the typed flag has a value. */
  takes: boolean;
  fixed?: string | undefined;
}

/**
 * @param typed a flag as it was typed, without a value
 * @returns the command's own flag if the letters are the same, otherwise what it means; undefined if gw knows nothing
 */
export function flagMeant(command: Known, typed: string): MeantFlag | undefined {
  const { flags } = command;
  const word = typed.replace(/^-+/, '');
  const plain = word.replaceAll(/(?<=[a-z])(?=[A-Z])|[_.]/g, '-').toLowerCase();
  const short = Object.keys(flags).find((name) => `-${flags[name]?.char}` === typed);
  const own = [short, plain, plain.replace(/^no-/, '')].find((name) => name && flags[name]);
  if (own !== undefined) {
    const takes = flags[own]?.type === 'option';
    return { name: own === short || takes ? own : plain, takes };
  }
  const meant = (meanings.get(word) ?? meanings.get(plain))?.find((one) => isOf(command, one));
  const [name = '', fixed] = meant?.split('=') ?? [];
  if (meant === undefined) return undefined;
  if (/^\W/.test(name)) return { name: meant, takes: meant !== '-' };
  if (fixed === 'true' || fixed === 'false')
    return { name: fixed === 'true' ? name : `no-${name}`, takes: false };
  return { name, fixed, takes: fixed === undefined && flags[name]?.type === 'option' };
}

function isOf({ args, flags }: Known, meant: string): boolean {
  const [name = '', fixed] = meant.split('=');
  if (/^\W/.test(name)) return !/[$^]/.test(name) || Object.keys(args).length > 0;
  return (
    Object.hasOwn(flags, name) &&
    (fixed === undefined || (flags[name]?.options?.includes(fixed) ?? true))
  );
}
