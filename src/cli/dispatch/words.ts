/**
 * Words that people bring from gh, Stripe's CLI, shells, dashboards, spreadsheets and the phone, and what they mean here.
 * A table is a text of entries `meant: words`, which end with a semicolon or a line.
 *
 * Tests: test/unit/cli/dispatch/typed-words.test.ts
 */

/** The actions, mostly by the names of gw's commands. A word may mean several: the first that fits its noun counts. */
const ACTIONS = `
start: serve run up launch listen; create: add new make insert post register issue start; list: ls all index browse recent latest last new; best: top biggest largest greatest; use: switch select choose
get: next show view info detail describe display read fetch retrieve lookup look-up inspect open cat; status: state
update: edit modify change set patch put alter correct fix rename amend replace; move: switch upgrade downgrade change-plan migrate; reschedule: postpone defer delay change-date billing-date charge-date payment-date billing-day
pause: hold freeze suspend; stop: end deactivate disable halt terminate unsubscribe archive; cancel: void reverse revoke abort undo annul
delete: rm remove del destroy erase drop purge clean clear wipe; resume: reactivate restart unpause activate enable continue reopen renew come-back came-back
refund: return reimburse give-back pay-back repay money-back; charge: pay bill debit take collect sell; subscribe: enrol enroll
capture: settle finalize finalise authorize authorise complete; retry: again repeat resend rerun redo replay
search: find query filter grep where; export: download dump save csv excel spreadsheet; batch: import upload bulk load
history: timeline activity trail audit; receipt: print email mail pdf; watch: tail follow stream monitor; expire: expires expiring expired expiry; explain: why reason
trigger: fire emit send simulate fake; refuse: refused reject rejected undelivered; test: check ping validate verify diagnose health debug down outage unreachable; reset: restart
login: signin sign-in log-in authenticate setup set-up configure init onboard connect; logout: signout sign-out log-out disconnect
advance: fast-forward skip travel; resolve: clarify; full: whole entire; partial: part partially
`;

/** The nouns, in the singular. */
const NOUNS = `
purchase: charge payment sale transaction txn order payment-intent; refund: return reimbursement repayment credit-note
customer: client buyer payer person people subscriber member cardholder contact shopper user surname last-name family-name
plan: price product tier package pricing; subscription: sub recurring membership mandate standing-order direct-debit payment-plan
card: tokenize token tokenise tokenization credit-card debit-card payment-method source vault wallet saved-card stored-card
card-lost: lost-card card-stolen stolen-card replacement-card card-replacement; note: notes memo comment remark annotation; webhook: hook web-hook webhook-endpoint endpoint callback listen; event: events delivery notification; refused-event: failed-webhook failed-delivery failed-event refused-webhook; test-card: testcard
journal: request audit-log log attempt; emulator: sandbox mock simulator test-gateway server gateway; clock: time test-clock
report: stat statistic stats summary total dashboard analytics insights overview metric sales revenue turnover income takings
profile: context config configuration setting preference workspace; account: merchant me identity; auth: authentication session
credential: api-key api-token auth-token access-token key secret password; ledger: database db; backup: dump-file
dispute: chargeback inquiry claim; payout: balance settlement transfer deposit withdrawal fund balance-transaction bank-account fee
compare: comparison versus vs; owner: owner-page boss; manual: man manpage; invoice: quote invoice-item; authorization: authorisation authorised authorized captured uncaptured preauth pre-auth setup-intent; payment-link: checkout checkout-session
coupon: discount promo promotion promotion-code surcharge tip gratuity shipping shipping-rate; tax: tax-rate vat gst umsatzsteuer mehrwertsteuer mwst tva iva report-vat report-gst report-tax; fraud: radar risk 3ds review blocklist
receipt: proof; paid: is-paid was-paid were-paid if-paid; decline: declined failed failure declined-card failed-card; unpaid: unpaid-invoice open-invoice overdue-invoice owe owes owed owing outstanding overdue arrears past-due not-paid unpaid-charge debt debtor receivable unsettled; refund-report: report-refund; leaver: report-lost report-new report-cancellation report-gone report-stopped report-subscriber; top-report: report-top; plan-report: report-plan; average: mean avg; sample: sampling; customer-report: by-customer; openapi: swagger open-api schema; double: duplicate twice charged-twice billed-twice paid-twice taken-twice double-charge double-charged two-times; forecast: projection upcoming due report-due due-report; fiscal: fy fiscal-year financial-year business-year; churn: mrr arr
left: remaining remainder refundable; next: next-charge next-payment next-bill next-billing; refunder: who-refunded who-gave-back; sender: who-charged who-sent who-did who-stopped who-changed who-moved
day: today daily; yesterday: prior-day; week: weekly; month: monthly; quarter: quarterly; year: yearly annual; bank-statement: reconciliation; statement: account-statement customer-statement; brand: card-brand card-type card-network card-scheme scheme visa mastercard amex; address: street-address
format: json yaml output; exit-code: error code status-code; env: environment variable env-var; flag: option; completion: autocomplete
money: amount currency currencies limit; whom: who; doc: docs documentation tutorial quickstart command usage guide example
`;

/** The outcomes by which people name several records: `failed payments`. */
const STATES = `
approved: successful succeeded; declined: failed unsuccessful; active: running; stopped: cancelled canceled; ended: finished; expired: lapsed; expiring: ending; deleted: removed
`;

/**
 * A noun and an action that no command has as its name mean another command, or a sentence, which begins with a capital
 * or a backtick. `*` is any noun or action, `{}` the next value that was typed, `{period}` the typed time, `{n}` the next amount, `{c}` the next word
 * that may name a customer. A meaning behind
 * `|` is for a line without a value.
 */
const MEANINGS = `
fault *: purchase create --test-fault {} --profile local
purchase charge, card charge, customer charge, * charge: purchase create --decimal-amount {n} --customer {c} --card-token {}
purchase refund, purchase cancel, refund refund, refund partial, * refund: refund create {} --decimal-amount {n}; refund full: refund create {} --full; customer refund, subscription refund: refund create --last-of {} --decimal-amount {n}
purchase delete, purchase update, purchase stop: A purchase cannot be changed or deleted. \`gw get {}\` shows it, and \`gw help refund create\` how its money is given back.
refund cancel, refund delete, refund update, refund stop, refund resume: A refund cannot be changed or taken back. \`gw refund get {}\` shows it.
* capture, authorization *: The interface has no captures: the gateway takes the money of a purchase at once, so nothing is left to capture. \`gw get {}\` shows a purchase.
* retry: gw repeats no request by itself. \`gw history {}\` shows what happened to it.
purchase search: purchase list; refund search: refund list; customer search: customer list; subscription search: subscription list; customer best: report customers --limit {n}; plan search: find --kind plan
purchase export: purchase list --output csv; refund export: refund list --output csv; customer export: customer list --output csv
subscription export: subscription list --output csv; plan export: plan list --all --output csv; event export: events list --output csv
* export: report charges --output csv; * history: history | journal list; * receipt, receipt *: receipt
customer stop, customer cancel, customer resume: A customer is billed by subscriptions. \`gw find --kind subscription {}\` lists them, and \`gw help subscription\` says how to stop and resume one.
customer subscribe, plan subscribe, * subscribe: subscription create --customer {} --plan {}
plan delete, plan stop, plan cancel: The interface cannot delete a plan. \`gw plan update {}\` changes its name.
subscription cancel, subscription delete, * stop: subscription stop; * resume: subscription resume
subscription retry: The gateway itself retries a failed charge of a subscription, at most three times. \`gw customer update ID\` replaces the card, and \`gw history {}\` shows what was charged.
subscription charge: The gateway charges a subscription by itself. \`gw report forecast\` lists the days, and \`gw history {}\` what was charged.
card create: tokenize; card batch: tokenize batch; card test, test-card *: emulator cards; card list, card search, card export: customer list
card update, card-lost *: A stored card changes with its customer. \`gw customer update {}\` asks for the new card.
card delete, card stop, card cancel: The interface cannot delete a stored card. \`gw customer update {}\` replaces the card of a customer, and \`gw customer delete {}\` deletes customer and card, and stops all subscriptions.
card *: \`gw get NAME\` shows the card of a customer, \`gw find --kind card\` lists those that \`gw tokenize\` stored, and \`gw emulator cards\` lists test cards.
webhook create, webhook update: The pages of the gateway take the address for webhooks. \`gw emulator hooks add URL\` gives one to the test gateway.
webhook list, webhook search: \`gw events list\` lists the webhooks received, and \`gw emulator hooks list\` the addresses of the test gateway.
webhook delete: emulator hooks remove; webhook history: emulator hooks log; webhook retry, event retry: events resend --to URL; webhook *: events get | listen
webhook refuse, event refuse, refused-event *: events list --forward refused; webhook test, webhook trigger, event test, event trigger, event create, * trigger: trigger; webhook watch, webhook start, event watch, * watch: listen
event *: events get | events list; journal search, journal watch, journal export, purchase watch: journal list; journal get, journal *: journal show | journal list
report *: report month; compare *: report month --compare; owner *: report month --html FILE; manual *: \`man gw\` is the manual, and \`gw help\` lists the commands.
decline explain, card explain: \`gw explain ID\` says why a payment was declined and what to do next. \`gw report declines\` counts the reasons.
decline trigger: emulator cards; decline *: explain | report declines; double *: report doubles; openapi *: api --openapi; unpaid *: report unpaid; paid *: get | purchase list --outcome approved; refund-report *: report refunds; leaver *: report subscriptions --by subscription; top-report *: report customers --limit {n}; plan-report *: report month {} --by plan; sample *: report charges --sample 20; average *: An average is a sum divided by its number, and \`gw report month -o csv\` has both.; customer-report *: report customers; churn *: report subscriptions; forecast *: report forecast; fiscal *: gw does not know when a business year begins. \`gw report month --since 2025-07 --until 2026-06\` has one that begins in July, and \`gw report year\` this year so far.
note *: gw keeps a note with a request that it sends, by \`--note\`. Customers and cards have none. \`gw history {}\` shows notes.
subscription pause, customer pause, * pause: \`gw subscription stop {}\` pauses a subscription, and \`gw subscription resume {}\` starts it again.
brand *: report month --by brand; address *: The gateway stores the address of a customer and does not show it again. \`gw history {}\` says when it was changed, and \`gw help customer update\` how to change it.
left *, next *: get; sender *: history; refunder *: history | report refunds; card expire, customer expire, * expire: \`gw customer list --expires april\` lists whose cards end in April, and \`gw customer list --outcome expiring\` those that end within 30 days.
day *: report day; yesterday *: report day yesterday; week *: report week; month *: report month; quarter *: report quarter; year *: report year; bank-statement *: reconcile
statement *: report customer {} | \`gw report customer NAME\` writes the statement of a customer, and \`gw reconcile FILE\` compares one of the bank.
profile get, profile status: profile list | whoami; profile update, account update: profile set; profile delete: profile remove; profile *: profile use | profile list
profile create: profile set; account create, auth *, * login: login; auth delete, auth stop, * logout: logout; profile test, auth test, * test: doctor; * use: profile use
account *, auth status, auth get, auth list: whoami; * status: get | doctor; ledger *: ledger status; backup *: ledger backup; * reset: emulator reset
credential *: gw keeps the API token in the keychain and never shows it. \`gw login\` replaces it, and \`gw whoami\` says which profile uses it.
emulator stop, emulator delete: The test gateway of \`gw emulator start\` ends with Ctrl-C. \`gw emulator status\` shows its state.
emulator *, * start: emulator start; clock *, * advance: emulator advance; * resolve: journal resolve; completion *: completion
dispute *: The interface has no disputes. Answer one on the pages of the gateway or the bank. \`gw history {}\` shows what happened to the payment.
payout *: The interface shows neither payouts nor balances. \`gw reconcile FILE\` compares a statement of the bank with the gateway.
invoice *: The interface has no invoices. \`gw receipt {}\` writes a receipt of a purchase.
tax *: The interface has no taxes, so the sums of \`gw report {period}\` include them: at 10%, an eleventh of the net is tax.
coupon *: The interface has no discounts, surcharges or shipping. Give the amount that is to be paid: \`gw help purchase create\`.
payment-link *: The interface has no payment pages. \`gw tokenize\` stores a card, and \`gw help purchase create\` says how to charge it.
fraud *: The interface has no checks for fraud. \`gw report declines\` shows why cards were declined.
* cancel: \`gw subscription stop {}\` stops a subscription, and \`gw refund create {}\` gives the money of a purchase back.
* reschedule, subscription reschedule: subscription move {} --start-date {}
* move, subscription move: subscription move {} --plan {} | A newer gw is installed the way this one was. \`gw subscription move\` changes the plan of a subscription.
* create: Say what to create, for example \`gw customer create\` or \`gw plan create\`.
* update: A change needs the kind of record: \`gw customer update {}\` or \`gw plan update {}\`.
* delete: Say what to delete: \`gw customer delete {}\`, \`gw profile remove NAME\`, or \`gw forget {}\` for what gw keeps of a person.
* batch: A batch reads a file. \`gw help purchase batch\`, \`gw help customer batch\` and \`gw help tokenize batch\` say which.
whom *: find | whoami; * list, * search: find; * get: get | find; * explain: explain; doc *: help; format *: help formats
exit-code *: help exit-codes; env *: help environment; flag *: help flags; money *: help money
`;

/** @returns the two sides of each entry, `left: right` */
export function entriesOf(table: string): (readonly [left: string, right: string])[] {
  const entries = table.split(/\n|; /).filter(Boolean);
  return entries.map((entry) => {
    const at = entry.indexOf(': ');
    return [entry.slice(0, at), entry.slice(at + 2)] as const;
  });
}

/** @returns all values of each key, in their order */
export function listed(
  pairs: readonly (readonly [key: string, values: readonly string[]])[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const [key, values] of pairs) found.set(key, [...(found.get(key) ?? []), ...values]);
  return found;
}

const meaningsOf = (table: string) =>
  listed(
    entriesOf(table).flatMap(([meant, words]) =>
      [meant, ...words.split(' ')].map((word) => [word, [meant]] as const),
    ),
  );

/** The meanings of each word. */
export const actions = meaningsOf(ACTIONS);
export const nouns = meaningsOf(NOUNS);
export const states = meaningsOf(STATES);

/** Commands and sentences by noun and action: `purchase refund`. */
export const meanings: ReadonlyMap<string, string> = new Map(
  entriesOf(MEANINGS).flatMap(([pairs, meant]) =>
    pairs.split(', ').map((pair) => [pair, meant] as const),
  ),
);
