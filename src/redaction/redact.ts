/**
 * Keeps secrets out of everything that gw shows or writes.
 *
 * Two ways, because neither is enough. By place: a field that is called a card number, a CVV, a
 * password or a token is masked in any JSON, whatever its value (`redactJson`), and in text that is
 * no JSON as far as a pattern finds it (`redactText`). By value: a `Redactor` knows the secrets of
 * this run and finds them in any text, also as they look inside JSON, a URL or a Basic credential.
 *
 * By value needs a limit: a short secret is part of ordinary words (the embedded gateway's own
 * username and token are TEST), so it is left to the first way. A CVV is always that short.
 *
 * This folder decides what may be shown or kept of a text, and in which form.
 */

import type { Json } from '../base/json.ts';
import { maskCardNumber, passesLuhn } from '../contract/card-number.ts';
import type { Output } from '../host/host.ts';

export const HIDDEN = '***';

/** Shorter secrets are not searched for in text. */
const MIN_SECRET_LENGTH = 6;
const MIN_CARD_DIGITS = 12;
/** Longest first: the longest number that begins at a digit counts. */
const CARD_LENGTHS = [19, 18, 17, 16, 15, 14, 13, MIN_CARD_DIGITS];

/** Names without case, `_` and `-`. `authorization` is not among them: it is a record's field. */
const CARD_NUMBER_FIELDS = new Set(['cardnumber', 'number', 'pan']);
const SECRET_FIELDS = new Set([
  'cvv',
  'cvv2',
  'cvc',
  'cvc2',
  'cvn',
  'csc',
  'securitycode',
  'apitoken',
  'password',
]);
const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);

/** Deeper than this a value is not shown: walking it would exhaust the stack. */
const MAX_DEPTH = 100;

/**
 * @returns the value with card numbers masked and secrets hidden, by the names of fields; the very
 *   same value when there is nothing to hide
 */
export function redactJson(value: Json, depth = 0): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return HIDDEN;
  if (Array.isArray(value)) {
    const items = value.map((item) => redactJson(item, depth + 1));
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  const entries = Object.entries(value).map(([name, inner]): [string, Json] => [
    name,
    redactField(name, inner, depth + 1),
  ]);
  return entries.every(([name, inner]) => inner === value[name])
    ? value
    : Object.fromEntries(entries);
}

type FieldKind = 'secret' | 'card number' | 'other';

/** Records have the same few names again and again. */
const KNOWN_FIELDS = new Map<string, FieldKind>();
const MAX_KNOWN_FIELDS = 1_000;

function kindOfField(name: string): FieldKind {
  const known = KNOWN_FIELDS.get(name);
  if (known) return known;
  const plain = name.toLowerCase().replace(/[_-]/g, '');
  const kind = SECRET_FIELDS.has(plain)
    ? 'secret'
    : CARD_NUMBER_FIELDS.has(plain)
      ? 'card number'
      : 'other';
  if (KNOWN_FIELDS.size < MAX_KNOWN_FIELDS) KNOWN_FIELDS.set(name, kind);
  return kind;
}

function redactField(name: string, value: Json, depth: number): Json {
  const kind = kindOfField(name);
  if (kind === 'secret' && value !== null && value !== '') return HIDDEN;
  if (kind === 'other') return redactJson(value, depth);
  const isCardNumber =
    (typeof value === 'string' || typeof value === 'number') &&
    String(value).replace(/\D/g, '').length >= MIN_CARD_DIGITS;
  return isCardNumber ? maskCardNumber(String(value)) : redactJson(value, depth);
}

/** @returns the value of a header as it may be shown: of a credential, the scheme alone. */
export function redactHeader(name: string, value: string): string {
  if (!SECRET_HEADERS.has(name.toLowerCase())) return value;
  const scheme = /^(Basic|Bearer|Digest) /i.exec(value)?.[1];
  return scheme === undefined ? HIDDEN : `${scheme} ${HIDDEN}`;
}

/** What introduces a value in broken JSON, a form, a query or a dump of variables. */
const NAMED_SECRET =
  /\b(cvv2?|cvc2?|cvn|csc|security[_-]?code|api[_-]?token|password)(\\?["']?\s*(?:=>|[:=])\s*)(\\?["']?)([^\s"'\\&<>,;}]+)/gi;
/** A word after the scheme counts when it does not look like a word: `Basic authentication` stays. */
const CREDENTIAL = /\b([Bb]asic|[Bb]earer)(\s+)(?=[\w+/=.~-]+[A-Z\d=])[\w+/=.~-]{8,}/g;
/** @returns a text that is no JSON with what looks like a card number or a named secret hidden. */
export function redactText(text: string): string {
  const named = text.replace(NAMED_SECRET, `$1$2$3${HIDDEN}`).replace(CREDENTIAL, `$1$2${HIDDEN}`);
  return maskCardNumbers(named, CARD_LENGTHS, passesLuhn);
}

/** The secrets of this run, found and hidden in any text. */
export class Redactor {
  readonly #secrets = new Set<string>();
  readonly #cardNumbers = new Set<string>();
  readonly #cardLengths = new Set<number>();

  /** Learns an API token, a password or another secret. */
  addSecret(secret: string): void {
    const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
    for (const form of forms) {
      if (form.length >= MIN_SECRET_LENGTH) this.#secrets.add(form);
    }
  }

  /** Learns the token and the Basic credential of a username and an API token. */
  addCredentials(username: string, apiToken: string): void {
    this.addSecret(apiToken);
    const pair = Buffer.from(`${username}:${apiToken}`);
    this.addSecret(pair.toString('base64').replace(/=+$/, ''));
    this.addSecret(pair.toString('base64url'));
  }

  /** Learns a card number that was typed or sent. */
  addCardNumber(cardNumber: string): void {
    const digits = cardNumber.replace(/\D/g, '');
    this.#cardNumbers.add(digits);
    this.#cardLengths.add(digits.length);
  }

  /** Learns every card number that stands in one of the texts. */
  addCardNumbersOf(texts: readonly string[]): void {
    for (const text of texts) {
      for (const [digits] of text.matchAll(/\d{12,19}/g)) {
        if (passesLuhn(digits)) this.addCardNumber(digits);
      }
    }
  }

  /** @returns the text without the secrets of this run; any other text as it is. */
  scrub(text: string): string {
    let scrubbed = text;
    for (const secret of [...this.#secrets].sort((a, b) => b.length - a.length)) {
      scrubbed = scrubbed.replaceAll(secret, HIDDEN);
    }
    const lengths = CARD_LENGTHS.filter((length) => this.#cardLengths.has(length));
    if (lengths.length === 0) return scrubbed;
    return maskCardNumbers(scrubbed, lengths, (digits) => this.#cardNumbers.has(digits));
  }
}

/**
 * Masks card numbers in a text, also as part of longer runs of digits and with single spaces or
 * hyphens between their digits, which stay.
 */
function maskCardNumbers(
  text: string,
  lengths: readonly number[],
  isCardNumber: (digits: string) => boolean,
): string {
  // A counted repetition without an upper limit would exhaust the stack on a long stretch.
  return text.replace(/\d[\d -]{11}[\d -]*/g, (stretch) =>
    stretch
      .split(/([ -]{2,})/)
      .map((run) => maskRun(run, lengths, isCardNumber))
      .join(''),
  );
}

function maskRun(
  run: string,
  lengths: readonly number[],
  isCardNumber: (digits: string) => boolean,
): string {
  const digits = run.replace(/[ -]/g, '');
  let masked = '';
  while (masked.length < digits.length) {
    const start = masked.length;
    const length = lengths.find(
      (length) =>
        start + length <= digits.length && isCardNumber(digits.slice(start, start + length)),
    );
    masked += length ? maskCardNumber(digits.slice(start, start + length)) : digits[start];
  }
  if (masked === digits) return run;
  let next = 0;
  return run.replace(/\d/g, () => masked[next++] ?? '');
}

/** @returns an output through which no secret of this run passes: the last line of defence. */
export function guardOutput(output: Output, redactor: Redactor): Output {
  return {
    get isTerminal() {
      return output.isTerminal;
    },
    get columns() {
      return output.columns;
    },
    get color() {
      return output.color;
    },
    write: (text) => output.write(redactor.scrub(text)),
  };
}
