/** Sources of every kind, as a shop of two years has them: names that many have, and that few have. */
import type { JsonObject } from '../../src/base/json.ts';
import { newsOf } from '../../src/events/store/told-by-event.ts';
import { newsOfEntry, newsOfRecord } from '../../src/journal/learn.ts';
import type { RememberedRecord } from '../../src/journal/ledger.ts';
import type { SourceNews } from '../../src/things/read-sources.ts';

export const START = Date.parse('2024-01-01T00:00:00Z');
export const SECONDS = 2 * 365 * 86_400;

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
export const oneOf = <Item>(items: readonly Item[]) => items[below(items.length)] as Item;
const letters = (n: number) => Array.from({ length: n }, () => LETTERS[below(36)]).join('');

const AT = { account: 'a1', profile: 'shop', environment: 'live', host: 'gateway.example' };

export interface Person {
  first: string;
  last: string;
  id: string;
  reference: string;
  email: string;
  token: string;
  four: string;
  number: number;
}

export function person(number: number): Person {
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

interface Subscriber extends Person {
  plan: string;
}

/** @param n number of the source. @param at milliseconds */
export function make(n: number, at: number, who: Person): SourceNews {
  const date = new Date(at).toISOString();
  const money = { amount: below(20) === 0 ? 100 + below(90_000) : oneOf(AMOUNTS), currency: 'AUD' };
  const isGood = below(10) > 0;
  const message = isGood ? 'Approved' : oneOf(REASONS);
  const name = `${who.first} ${who.last}`;
  const profile = below(1_000) === 0 ? 'sandbox' : 'shop';
  const seen = {
    ...{ ...AT, profile, name, lastFour: who.four, firstSeenAt: date, lastSeenAt: date },
    seenBy: 'get',
    amount: null,
    currency: 'AUD',
    deeds: [],
  };
  const record = { ...money, successful: isGood, message, transaction_date: date };
  // The first plan is one that nobody takes any more.
  const plan = at < START + SECONDS * 300 ? '071-PL-FIRST' : '071-PL-NOW';
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
  return ofEvent(n, date, { ...record, four: who.four }, { ...who, plan });
}

function ofRecord(seen: RememberedRecord): SourceNews {
  const { kind, account, id } = seen;
  return { source: { kind, account, id }, news: [newsOfRecord(seen)] };
}

interface Sent {
  amount: number;
  currency: string;
  name: string;
  four: string;
  isGood: boolean;
}

function ofRequest(n: number, date: string, sent: Sent): SourceNews {
  const { amount, currency, name, four, isGood } = sent;
  const id =
    `${letters(8)}-${letters(4)}-4${letters(3)}-9${letters(3)}-${letters(12)}`.toLowerCase();
  const news = newsOfEntry({
    ...{ ...AT, id, createdAt: date, settledAt: date, operation: 'purchase create' },
    ...{ amount, currency, refundOf: null, reference: `INV-${n}` },
    target: `512345XXXXXX${four}`,
    body: { card_holder: name, card_number: `512345XXXXXX${four}` },
    state: isGood ? 'done' : 'declined',
    recordId: `071-P-${letters(8)}`,
    message: isGood ? 'Approved' : 'Declined',
    operator: null,
    note: null,
    resolvedBy: null,
  });
  return { source: { kind: 'request', account: null, id }, news: [news] };
}

/** A charge names its purchase, the subscription and the customer. */
function ofEvent(n: number, date: string, charge: JsonObject, who: Subscriber): SourceNews {
  const { id, reference, email, first, last, number, plan } = who;
  const { four, ...same } = charge;
  const news = newsOf(
    {
      ...{ id: n, receivedAt: date, at: date, owner: AT, message: null, isHeard: false },
      event: charge.successful ? 'charge:successful' : 'charge:retry',
      outcome: charge.successful ? 'approved' : 'declined',
    },
    {
      subscription: { id: `071-S-${id.slice(6)}`, reference: `SUB-${number}`, customer: id, plan },
      customer: { id, reference, email, first_name: first, last_name: last },
      purchase: { ...same, id: `071-P-${letters(8)}`, card_number: `512345XXXXXX${four}` },
    },
  );
  return { source: { kind: 'event', account: null, id: String(n) }, news };
}
