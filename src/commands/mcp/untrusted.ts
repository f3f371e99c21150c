/**
 * Cleans everything that leaves for an assistant. A model cannot tell data from instructions, so the words of outsiders (customers, banks,
 * whoever sent a webhook) stand in a field of their own, `untrusted`: every text does, except those of known fields that look
 * like a code, and those that gw writes itself. Secrets of cards and of this machine do not leave at all.
 *
 * Tests: test/unit/commands/mcp/untrusted.test.ts, test/system/mcp-faults.test.ts
 */
import {
  isObject,
  isWrittenNumber,
  type Json,
  type JsonObject,
  withoutMark,
} from '../../base/json.ts';
import { maskCardNumbers } from '../../contract/cards/find-card-numbers.ts';
import { CardTokens } from '../../host/redaction/card-tokens.ts';
import { cut, neutralise, toJson } from '../../host/redaction/safe.ts';

/** Fields whose text is a name or word of the interface or of gw, if it looks like one. */
const CODES: ReadonlySet<string> = new Set([
  ...['kind', 'id', 'at', 'what', 'outcome', 'state', 'currency', 'purchase', 'customer', 'plan'],
  ...['subscription', 'transaction_id', 'profile', 'environment', 'period', 'from', 'until', 'day'],
  ...['time_zone', 'seen_at', 'since', 'last_try', 'next_retry', 'next_date', 'last_four', 'card'],
  ...[
    'card_expiry',
    'card_type',
    'card_number',
    'transaction_date',
    'settlement_date',
    'created_at',
  ],
  ...['start_date', 'end_date', 'next_billing_date', 'retry_date', 'paid_until', 'frequency'],
  ...['response_code', 'rrn', 'authorization', 'source', 'code', 'proposed_until', 'try_again'],
  ...['operator', 'proposed_by', 'operation', 'entry', 'target', 'read_as', 'record'],
]);

/** Fields with an object or a list of gw's own making. */
const PARTS: ReadonlySet<string> = new Set([
  ...[
    'record',
    'known',
    'tied',
    'refunds',
    'sums',
    'paid',
    'refunded',
    'unpaid',
    'unknown',
    'card',
  ],
  ...['not_refunded', 'unverified', 'last_charge', 'sources', 'requests', 'events', 'body'],
]);

/** Money is in minor units, and nothing else is said of it; the rest is of the account or this machine. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['token', 'card_token', 'decimal_amount', 'account', 'host', 'machine', 'username'],
]);

/** Ids, dates, words of gw. A sentence has spaces. */
const CODE = /^[\w.:+#@/-]{1,64}$/;

const MOST_NAME = 64;
const MOST_TEXT = 300;
const MOST_VALUE = 2_000;
const MOST_OWN = 1_000;

/** @param own the fields of a tool whose texts gw writes. @returns whether a text of the field may stay where it is */
export function isKept(name: string, own: readonly string[]): boolean {
  return CODES.has(name) || PARTS.has(name) || own.includes(name);
}

/** The texts of this machine that do not leave, and how the rest is cleaned. */
export class Cleaner {
  readonly #tokens = new CardTokens();
  readonly #folders: readonly string[];

  /** @param folders of the user and of gw on this machine */
  constructor(folders: readonly string[]) {
    this.#folders = folders.filter((folder) => folder.length > 1);
  }

  /** Learns the card tokens of records. They charge cards, so no text may have them. */
  learn(record: Json): void {
    this.#tokens.learnFrom(record);
  }

  /** @returns a text that gw wrote, which may quote others: on one line, bounded, without secrets and paths */
  text(text: string, most = MOST_OWN): string {
    let clean = this.#tokens.scrub(maskCardNumbers(text));
    for (const folder of this.#folders) clean = clean.replaceAll(folder, '~');
    clean = clean.replace(PATH, '(a path of this machine)');
    return cut(neutralise(clean), most);
  }

  /** @param own as in `isKept` */
  record(record: JsonObject, own: readonly string[]): JsonObject {
    const kept: [name: string, value: Json][] = [];
    const untrusted: [name: string, value: Json][] = [];
    for (const [name, value] of Object.entries(record)) {
      if (LEFT_OUT.has(name) || (name === 'id' && record.kind === 'card')) continue;
      const inner = this.#inner(name, value, own);
      if (inner !== undefined) kept.push([name, inner]);
      else untrusted.push([this.text(name, MOST_NAME), this.#outsider(value)]);
    }
    if (untrusted.length > 0) kept.push(['untrusted', Object.fromEntries(untrusted)]);
    return Object.fromEntries(kept);
  }

  /** @returns the value if it may stay where it is */
  #inner(name: string, value: Json, own: readonly string[]): Json | undefined {
    // A number that no double holds exactly is a text, since most readers would round it.
    if (isWrittenNumber(value)) return withoutMark(String(value));
    if (typeof value === 'string') {
      if (own.includes(name)) return this.text(value);
      return CODES.has(name) && CODE.test(value) ? this.text(value) : undefined;
    }
    if (typeof value !== 'object' || value === null) return CODE.test(name) ? value : undefined;
    if (!PARTS.has(name)) return undefined;
    if (isObject(value)) return this.record(value, own);
    const items = value.map((item) =>
      isObject(item) ? this.record(item, own) : (this.#inner('id', item, []) ?? null),
    );
    return items;
  }

  #outsider(value: Json): Json {
    if (typeof value === 'string') return this.text(value, MOST_TEXT);
    return typeof value === 'object' && value !== null
      ? this.text(toJson(value), MOST_VALUE)
      : value;
  }
}

/** A path of a file system. The path of an address is none. */
const PATH =
  /(?<![\w:/.])(?:\/(?:dev|etc|home|media|mnt|opt|private|proc|root|run|srv|tmp|usr|var|Users|Volumes)\/|[A-Za-z]:\\)[^\s"'`,;:<>()]*/g;
