/** `gw find`: searches the index and prints the results. */
import { count, plural, quantity } from '../../base/text.ts';
import { amountReading, type ListOptions } from '../../cli/flags/search-flags.ts';
import { othersHave, profileScope } from '../../cli/flags/whose.ts';
import { authorOf, type DataSource } from '../../client/ledger/place.ts';
import { holdsCardNumber } from '../../contract/cards/find-card-numbers.ts';
import { asFilter, searchShown } from '../../desk/query/readings.ts';
import {
  findText,
  moreThan,
  searchFilterOf,
  searchThings,
  withLedger,
} from '../../desk/query/search.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import { timeZoneOf } from '../../host/machine-zone.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import type { Ledger } from '../../journal/ledger.ts';
import { withPlanNames } from '../../requests/known/plan-names.ts';
import { hasShortWord } from '../../things/conditions.ts';
import { fold } from '../../things/normalise.ts';
import type { Thing } from '../../things/thing.ts';
import type { SearchFilter, SearchIndex, SearchQuery } from '../../things/thing-index.ts';
import { keyOfName } from '../../things/words.ts';
import { ofProfiles } from '../../view/of-profiles.ts';
import { formatOf, openPrinter, type PrintHost } from '../../view/print-records.ts';
import { type FoundThing, lookedUpAs, thingView } from '../../view/records/search-result.ts';

export interface FindOptions extends ListOptions {
  kinds: SearchFilter['kinds'];
}

/** @param words as they were typed @throws Failure usage when they cannot be searched for */
export async function runFind(
  context: Context,
  words: readonly string[],
  options: FindOptions,
): Promise<void> {
  const text = findText(words);
  const { limit, kinds } = options;
  const { host } = context;
  const us = await profileScope(host, options);
  const asked = { text, ...(await searchFilterOf(host, options, us)), kinds };
  await withLedger(host, us, async (desk) => {
    const { ledger, scope, source } = desk;
    const query = { ...asked, scope, limit: limit + 1 };
    const { things, note } = await searchShown(desk, query, options.output);
    const paid = await withRefunded(ledger, things.slice(0, limit));
    const shown = await withPlanNames(ledger.things, paid);
    const { stderr } = host;
    await stderr.write(note);
    await print(host, options, { things: shown, showsProfiles: us.of === undefined });
    await stderr.write(await otherNames(ledger.things, query, shown));
    if (things.length > limit)
      await stderr.write((stderr.isTerminal ? ofOnePerson(shown) : '') + moreThan(limit));
    else if (shown.length === 0) {
      await stderr.write(
        note === '' ? await nothingFound(ledger.things, asFilter(query), source) : '',
      );
      await stderr.write(readingOf(text, options));
      const search = (query: SearchQuery) => searchThings(desk, query);
      await stderr.write(await othersHave(us, { search }, asFilter({ ...asked, limit: 1 })));
    } else if (stderr.isTerminal)
      await stderr.write(
        ofOnePerson(shown) + ofCustomers(shown, options) + (await coverage(ledger.things, source)),
      );
    await stderr.write(unknownToInterface(text));
  });
}

/** @returns the things, of which purchases say what was given back, as far as it is known here */
async function withRefunded(
  ledger: Pick<Ledger, 'balances'>,
  things: readonly FoundThing[],
): Promise<FoundThing[]> {
  const paid = things.filter(({ kind, outcome }) => kind === 'purchase' && outcome === 'approved');
  const found = new Map<FoundThing, number>();
  for (const account of new Set(paid.flatMap((one) => one.account ?? []))) {
    const own = paid.filter((one) => one.account === account);
    const balances = await ledger.balances(
      { account },
      own.map(({ id }) => id),
    );
    for (const one of own) found.set(one, balances.get(one.id)?.refunded ?? 0);
  }
  return things.map((one) => {
    const refunded = found.get(one);
    return refunded ? { ...one, refunded } : one;
  });
}

async function print(
  host: PrintHost & Pick<Host, 'user'>,
  { output }: FindOptions,
  { things, showsProfiles }: { things: readonly FoundThing[]; showsProfiles: boolean },
): Promise<void> {
  const zone = timeZoneOf(host, output.timeZone);
  const view = thingView({
    // Only a table asks for it, and finding the zone's rules takes long.
    get year() {
      return zone.dayOf(host.clock.now().getTime()).slice(0, 'YYYY'.length);
    },
    things,
    self: authorOf(host).operator,
  });
  const kind = showsProfiles ? ofProfiles(view) : view;
  const printer = openPrinter(host, output, { kind });
  const isOfIds = formatOf(output) === 'id';
  const printed = new Set<string>();
  let unnamed = 0;
  for (const thing of things) {
    const record = view.record(thing);
    const id = lookedUpAs(record);
    if (id === undefined) unnamed++;
    // Several things can be about one record. Its id is printed once, because it is what `gw get` takes.
    if (isOfIds && (id === undefined || printed.has(id))) continue;
    printed.add(id ?? '');
    await printer.add(record);
  }
  await printer.end();
  if (isOfIds && unnamed > 0)
    await host.stderr.write(
      `${quantity(unnamed, 'result does', 'results do')} not name a record to look up. Use another output format to see ${plural(unnamed, 'it', 'them')}.\n`,
    );
}

/** @returns how numbers were read, of words and of flags; may be empty */
function readingOf(text: string | undefined, options: FindOptions): string {
  return (holdsCardNumber(text ?? '') ? OF_CARD_NUMBERS : '') + amountReading(options);
}

async function nothingFound(
  things: SearchIndex,
  { text, kinds }: Pick<SearchQuery, 'text' | 'kinds'>,
  source: DataSource,
): Promise<string> {
  const { kinds: counts, countedTo, oldest } = await things.sources();
  const known = Object.entries(counts)
    .map(([kind, n]) => {
      const known =
        n > countedTo ? `more than ${count(countedTo)} ${kind}s` : quantity(n, kind, `${kind}s`);
      const isBeside = kind === 'request' || kind === 'event';
      return isBeside ? `${known} without a record` : known;
    })
    .join(', ');
  if (known === '') return `There is nothing to search yet: gw finds what was ${source.known}.\n`;
  const wanted = kinds?.length
    ? `No ${kinds.map((kind) => `${kind}s`).join(' and no ')}`
    : 'Nothing';
  const what = `${wanted} found${text === undefined ? '' : ` for ${JSON.stringify(neutralise(text))}`}`;
  return (
    `${what}. Searched: ${known}${oldest === null ? '' : `, the oldest payment from ${oldest.slice(0, 10)}`}.\n` +
    `${text !== undefined && hasShortWord(text) ? OF_SHORT_WORDS : ''}` +
    `${text !== undefined && NUMBER.test(text) && !holdsCardNumber(text) ? OF_NUMBERS : ''}` +
    'Try fewer words or filters, or part of a word. gw cannot find what it has not seen: `gw get ID` asks the gateway.\n'
  );
}

/** Words that people search for, which the interface or the ledger does not have, and what to do instead. */
const UNKNOWN_TO_INTERFACE: readonly (readonly [words: RegExp, sentence: string])[] = [
  [
    /\b(?:chargeback|dispute)s?\b/i,
    'The interface has no chargebacks: your bank tells you about them. Find the purchase by its amount, date or last four digits, and do not refund what the bank takes back.\n',
  ],
  [
    /\b(?:cancel\w*|period[ -]end|end of (?:a |the )?period)\b/i,
    'The interface cannot stop a subscription at the end of a period. Stop it before its next billing date, which `gw get` shows.\n',
  ],
  [
    /\.(?:csv|tsv|xlsx|jsonl)$/i,
    '`gw reconcile FILE` compares each row of a file with the gateway.\n',
  ],
];

function unknownToInterface(text = ''): string {
  return UNKNOWN_TO_INTERFACE.filter(([words]) => words.test(text))
    .map(([, sentence]) => sentence)
    .join('');
}

const OF_CARD_NUMBERS =
  'gw keeps no card numbers: search for the last four digits together with a name, an amount or --since.\n';

const OF_SHORT_WORDS =
  'gw finds a word of one or two characters as an amount, or at the beginning of a name or reference.\n';

const NUMBER = /(?:^|\s)\d{1,12}(?:$|\s)/;
const OF_NUMBERS =
  'A whole number was searched as money (45 is 45.00), as last four digits, and as a part of a name.\n';

/** The most customers that a sentence says are called otherwise by now. */
const MOST_CALLED = 3;

/** @returns which customers, found by a name or an email of today, have others in the payments that are shown */
async function otherNames(
  things: Pick<SearchIndex, 'tied'>,
  { text = '', scope }: SearchQuery,
  shown: readonly FoundThing[],
): Promise<string> {
  const words = fold(text).split(' ');
  const calledIn = ({ who, email }: Pick<Thing, 'who' | 'email'>) => {
    const called = fold(`${who ?? ''} ${email ?? ''}`);
    return words.filter((word) => called.includes(word)).length;
  };
  const paid = shown.filter(
    (one) =>
      (one.kind === 'purchase' || one.kind === 'refund') &&
      one.customer !== null &&
      calledIn(one) < words.length,
  );
  const ids = [...new Set(paid.flatMap(({ customer }) => customer ?? []))].slice(0, MOST_CALLED);
  if (text === '' || ids.length === 0) return '';
  const keys = ids.map((id) => keyOfName('customer', id));
  const customers = await things.tied(keys, { kinds: ['customer'], scope, limit: MOST_CALLED });
  return customers
    .map((customer) => {
      const others = paid.filter(
        (one) => one.customer === customer.id && calledIn(one) < calledIn(customer),
      );
      const names = others.map(({ who, email }) => (who === customer.who ? email : who) ?? '');
      const said = neutralise([...new Set(names)].join(', '));
      const now = neutralise(customer.who ?? customer.email ?? customer.id);
      return said === ''
        ? ''
        : `Payments of ${now} (${customer.id}) have the name or email of their time: ${said}.\n`;
    })
    .join('');
}

/** @returns where the sums are, if all results are of one customer */
function ofOnePerson([first, ...others]: readonly FoundThing[]): string {
  const { customer = null, who } = first ?? {};
  if (customer === null || others.length === 0) return '';
  if (others.some((one) => one.customer !== customer)) return '';
  return `All are of ${neutralise(who ?? customer)}: \`gw history ${customer}\` adds up what was paid.\n`;
}

/** @returns where the subscriptions are that a card which expires pays for, if several customers have one */
function ofCustomers(shown: readonly FoundThing[], { expires }: FindOptions): string {
  const isOfCards = expires !== undefined && shown.length > 1;
  return isOfCards ? '`gw get ID` shows the subscriptions of a customer.\n' : '';
}

async function coverage(things: SearchIndex, { to }: DataSource): Promise<string> {
  const { oldest } = await things.sources();
  const since = oldest === null ? '' : ` since ${oldest.slice(0, 10)}`;
  return `Known ${to}${since}; the gateway itself cannot search.\n`;
}
