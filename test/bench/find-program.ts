/** Fills a ledger with facts of every kind, or asks its index. See find.bench.mjs. */
import { statSync } from 'node:fs';
import type { JsonObject } from '../../src/base/json.ts';
import type { IndexedFact } from '../../src/facts/fact.ts';
import { factOfEvent } from '../../src/facts/fact-of-event.ts';
import { factOfRecord, type SeenRecord } from '../../src/facts/fact-of-record.ts';
import { factOfRequest } from '../../src/facts/fact-of-request.ts';
import type { FactSearch } from '../../src/facts/facts.ts';
import { addFact, completeFacts, putFact } from '../../src/facts/write-facts.ts';
import { openLedger } from '../../src/journal/sqlite-ledger.ts';
import { Database } from '../../src/storage/database.ts';
import { ledgerFile } from '../../src/storage/ledger-file.ts';

const [what = '', path = '', amount = '1000000'] = process.argv.slice(2);
const START = Date.parse('2024-01-01T00:00:00Z');
const SECONDS = 2 * 365 * 86_400;

const FIRST =
  `Ada Zoë José Łukasz Oliver Charlotte Noah Amelia Jack Isla William Mia Leo Grace Henry
  Olivia Thomas Ava James Chloe Lucas Sophie Ethan Ruby Liam Emily Max Ella Oscar Evie 王 李 Søren Ingrid
  François Élodie Jürgen Käthe Nguyễn Priya Arjun Fatima Yusuf Олег Ирина Γιώργος`.split(/\s+/);
const LAST =
  `Byron Lovelace Nguyen Smith Jones Williams Brown Wilson Taylor Johnson White Martin Anderson
  Thompson Thomas Walker Harris Lee Ryan Robinson Kelly King Davis Wright Evans Roberts Green Hall Wood
  Jackson Clarke Patel Khan Singh Campbell Edwards Mitchell Turner Ångström Müller García 小明 Петров Li`.split(
    /\s+/,
  );
const REASONS = ['Declined', 'Insufficient Funds', 'Expired Card', 'Refer to Card Issuer'];
const AMOUNTS = [300, 700, 1114, 1490, 2500, 4900, 9900];
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** The same numbers in every run (mulberry32). */
let state = 12;
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
const below = (n: number) => Math.floor(random() * n);
const oneOf = <Item>(items: readonly Item[]) => items[below(items.length)] as Item;
const letters = (n: number) => Array.from({ length: n }, () => LETTERS[below(36)]).join('');

const AT = { account: 'a1', profile: 'shop', environment: 'live', host: 'gateway.example' };

interface Person {
  first: string;
  last: string;
  id: string;
  reference: string;
  email: string;
  token: string;
  four: string;
  number: number;
}

function person(number: number): Person {
  const first = oneOf(FIRST);
  const last = oneOf(LAST);
  return {
    ...{ first, last, number },
    id: `071-C-${letters(8)}`,
    reference: `C-${10_000 + number}`,
    email: `${first}.${last}${number}@example.org`.toLowerCase(),
    token: letters(12).toLowerCase(),
    four: String(below(10_000)).padStart(4, '0'),
  };
}

type Made = [origin: string, fact: IndexedFact];

/** @param n number of the fact. @param at milliseconds */
function make(n: number, at: number, who: Person): Made {
  const date = new Date(at).toISOString();
  const money = { amount: below(20) === 0 ? 100 + below(90_000) : oneOf(AMOUNTS), currency: 'AUD' };
  const isGood = below(10) > 0;
  const message = isGood ? 'Approved' : oneOf(REASONS);
  const name = `${who.first} ${who.last}`;
  const profile = below(1_000) === 0 ? 'sandbox' : 'shop';
  const seen = {
    ...{ ...AT, profile, name, lastFour: who.four, firstSeenAt: date, lastSeenAt: date },
  };
  const record = { ...money, successful: isGood, message, transaction_date: date };
  const kind = n % 10;
  if (kind < 4) {
    const id = `071-P-${letters(8)}`;
    const whole = { ...record, id, card_token: who.token, authorization: String(below(1_000_000)) };
    return ofRecord({ ...seen, kind: 'purchase', id, reference: `INV-${n}`, record: whole });
  }
  if (kind === 4 && n % 50 === 4) {
    const id = `071-R-${letters(8)}`;
    const refund = { ...record, id, amount: -money.amount };
    return ofRecord({ ...seen, kind: 'refund', id, reference: `RET-${n}`, record: refund });
  }
  if (kind === 5) {
    const { id, reference, email } = person(n);
    const customer = { id, email, card_token: who.token, created_at: date };
    return ofRecord({ ...seen, kind: 'customer', id, reference, record: customer });
  }
  if (kind < 8) return ofRequest(n, date, { ...money, name, four: who.four, isGood });
  return ofEvent(n, date, { ...record, four: who.four }, who);
}

function ofRecord(seen: SeenRecord): Made {
  return [`record ${seen.kind} ${seen.id}`, factOfRecord(seen)];
}

interface Sent {
  amount: number;
  currency: string;
  name: string;
  four: string;
  isGood: boolean;
}

function ofRequest(n: number, date: string, { amount, currency, name, four, isGood }: Sent): Made {
  const id =
    `${letters(8)}-${letters(4)}-4${letters(3)}-9${letters(3)}-${letters(12)}`.toLowerCase();
  const entry = { id, createdAt: date, settledAt: date, operation: 'purchase create' };
  const fact = factOfRequest({
    ...{ ...AT, ...entry, amount, currency, refundOf: null, reference: `INV-${n}` },
    target: `512345XXXXXX${four}`,
    body: { card_holder: name, card_number: `512345XXXXXX${four}` },
    state: isGood ? 'done' : 'declined',
    recordId: `071-P-${letters(8)}`,
    message: isGood ? 'Approved' : 'Declined',
    operator: null,
  });
  return [`request ${id}`, fact];
}

function ofEvent(n: number, date: string, charge: JsonObject, who: Person): Made {
  const { id, reference, email, first, last, number } = who;
  const { four, ...same } = charge;
  const fact = factOfEvent(
    {
      ...{ id: n, receivedAt: date, profile: 'shop', environment: 'live', message: null },
      event: charge.successful ? 'charge:successful' : 'charge:retry',
      outcome: charge.successful ? 'approved' : 'declined',
    },
    {
      subscription: { id: `071-S-${id.slice(6)}`, reference: `SUB-${number}`, customer: id },
      customer: { id, reference, email, first_name: first, last_name: last },
      purchase: { ...same, id: `071-P-${letters(8)}`, card_number: `512345XXXXXX${four}` },
    },
  );
  return [`event ${n} 0`, fact];
}

/** Facts that are written one by one on top of all others, as they are when something happens. */
const ONE_BY_ONE = 2_000;

async function fill(count: number): Promise<void> {
  const database = new Database(ledgerFile(path));
  // Random keys, a million of them: what does not fit into memory is written again and again.
  database.set('cache_size = -600000');
  const people = Array.from({ length: Math.max(1, count / 20) }, (_, n) => person(n));
  const made = (n: number) => make(n, START + (n / count) * SECONDS * 1_000, oneOf(people));
  const madeInMs = time(() => {
    database.write((queries) => {
      for (let n = 0; n < count - ONE_BY_ONE; n++) addFact(queries, ...made(n));
      completeFacts(queries);
    });
  });
  const oneMs = time(() => {
    for (let n = count - ONE_BY_ONE; n < count; n++)
      database.write((queries) => putFact(queries, ...made(n)));
  });
  const groupMs = time(() => {
    database.write((queries) => {
      for (let n = count; n < count + ONE_BY_ONE; n++) putFact(queries, ...made(n));
    });
  });
  database.close();
  const bytes = statSync(path).size;
  say({
    facts: count + ONE_BY_ONE,
    made_at_once_seconds: Math.round(madeInMs / 1_000),
    microseconds_a_fact_alone: Math.round((oneMs * 1_000) / ONE_BY_ONE),
    microseconds_a_fact_among_many: Math.round((groupMs * 1_000) / ONE_BY_ONE),
    bytes_a_fact: Math.round(bytes / count),
    file_mib: Math.round(bytes / 2 ** 20),
  });
}

function time(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

const QUERIES: readonly [name: string, search: Omit<FactSearch, 'limit'>][] = [
  ['nothing asked', {}],
  ['rare word', { text: 'c-10123' }],
  ['common word', { text: 'example' }],
  ['common name', { text: 'byron' }],
  ['two common words', { text: 'byron approved' }],
  ['two names', { text: 'ada byron' }],
  ['two common words that never meet', { text: 'byron lovelace' }],
  ['three common words that never meet', { text: 'byron lovelace declined' }],
  ['three letters', { text: 'son' }],
  ['three digits', { text: '071' }],
  ['last four', { text: '2346' }],
  ['name of two letters', { text: 'li' }],
  ['name of one ideograph', { text: '王' }],
  ['two short names', { text: 'li 李' }],
  ['short name and common word', { text: 'li approved' }],
  ['short name and a word that never meet', { text: 'li byron' }],
  ['exact reference', { text: 'INV-500001' }],
  ['amount', { amount: 2_500 }],
  ['rare amount', { amount: 77_777 }],
  ['money', { money: '25.00' }],
  ['word and amount', { text: 'byron', amount: 2_500 }],
  ['money as a word', { text: 'byron 25.00' }],
  ['word and rare amount', { text: 'example', amount: 77_777 }],
  ['word and rare kind', { text: 'example', kinds: ['plan'] }],
  ['word and kind that never meet', { text: 'example', kinds: ['purchase'] }],
  ['word and kind', { text: 'byron', kinds: ['refund'] }],
  ['kind', { kinds: ['refund'] }],
  ['two kinds', { kinds: ['refund', 'customer'] }],
  ['word and outcome', { text: 'byron', outcome: 'declined' }],
  ['outcome', { outcome: 'declined' }],
  ['outcome that nothing has', { outcome: 'bad' }],
  ['word and outcome that nothing has', { text: 'example', outcome: 'bad' }],
  ['rare profile', { profile: 'sandbox' }],
  ['word and rare profile', { text: 'byron', profile: 'sandbox' }],
  ['profile that nothing has', { text: 'approved', profile: 'nosuch' }],
  ['word, one day', { text: 'byron', since: '2024-06-01', until: '2024-06-02' }],
  ['common word, long ago', { text: 'approved', until: '2024-01-02' }],
  ['day and kind', { kinds: ['refund'], since: '2024-06-01', until: '2024-06-02' }],
  ['everything at once', { text: 'byron', kinds: ['event'], outcome: 'declined', amount: 2_500 }],
  ['nothing found', { text: 'nosuchword' }],
  ['nothing found, common letters', { text: 'exampleexample' }],
  ['hostile', { text: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' }],
];

async function ask(): Promise<void> {
  const ledger = await openLedger(path, { now: () => new Date() });
  for (const [name, search] of QUERIES) {
    const times: number[] = [];
    let found = 0;
    for (let round = 0; round < 5; round++) {
      const started = performance.now();
      found = (await ledger.facts.search({ ...search, limit: 21 })).length;
      times.push(performance.now() - started);
      if ((times[0] ?? 0) > 3_000) break;
    }
    const ms = (value: number | undefined) => Number((value ?? 0).toFixed(1));
    say({ name, found, best_ms: ms(Math.min(...times)), first_ms: ms(times[0]) });
  }
  const started = performance.now();
  await ledger.facts.sources();
  say({ name: 'sources', best_ms: Number((performance.now() - started).toFixed(1)) });
  await ledger.close();
}

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

if (what === 'fill') await fill(Number(amount));
else await ask();
