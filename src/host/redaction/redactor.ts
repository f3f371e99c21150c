/**
 * The secrets of this run, and the last line of defence: every byte that leaves the program passes
 * here, and what is a card number, or a secret that the run knows, does not.
 *
 * By value needs a limit: a short secret is part of ordinary words (the embedded gateway's own
 * username and token are TEST), so it is left to the names of fields (redact.ts). A CVV is always
 * that short.
 */

import type { Json } from '../../base/json.ts';
import {
  cardNumbersIn,
  maskCardNumbers,
  maskKnownNumbers,
} from '../../contract/cards/find-card-numbers.ts';
import { kindOfName } from './names.ts';
import { HIDDEN } from './redact.ts';

/** Shorter secrets are not searched for in text. */
const MIN_SECRET_LENGTH = 6;

/** Deeper than this a value is not shown. */
const MAX_DEPTH = 100;

/** The secrets of this run, found by their value and hidden in any text, as they are and as text is usually encoded. */
export class Redactor {
  /** In each form, the longest first: another one may be a part of it. */
  #secrets: readonly string[] = [];
  readonly #cardNumbers = new Set<string>();
  readonly #published = new Set<string>();
  readonly #identifiers = new Set<string>();

  /** Learns an API token, a password or another secret. */
  addSecret(secret: string): void {
    if (secret.length >= MIN_SECRET_LENGTH)
      this.#add([...escapesOf(secret), ...encodingsOf(secret)]);
  }

  /** Learns the token and the Basic credential of a username and an API token. */
  addCredentials(username: string, apiToken: string): void {
    this.addSecret(apiToken);
    this.#add(encodingsOf(`${username}:${apiToken}`));
  }

  #add(forms: readonly string[]): void {
    const long = forms.filter((form) => form.length >= MIN_SECRET_LENGTH);
    // PHP writes a slash in JSON with a backslash before it.
    const slashed = long.map((form) => form.replaceAll('/', '\\/'));
    const all = new Set([...this.#secrets, ...long, ...slashed]);
    this.#secrets = [...all].sort((a, b) => b.length - a.length);
  }

  /** Learns a card number that was typed or sent, whatever its issuer: it is found in longer digits, too. */
  addCardNumber(cardNumber: string): void {
    this.#cardNumbers.add(cardNumber.replace(/\D/g, ''));
  }

  /**
   * Learns what a command line gives as a card number, by its name: `--card-number N`, `card_number=N`.
   * Digits of any other word are judged by what they are: a reference or a part of an id may have the
   * right check digit, too.
   */
  addCardNumbersOf(argv: readonly string[]): void {
    for (const [i, word] of argv.entries()) {
      const [name = '', value] = word.split(/=(.*)/s);
      const isName = word.startsWith('-') || value !== undefined;
      if (!isName || kindOfName(name) !== 'card number') continue;
      this.addCardNumber(value ?? argv[i + 1] ?? '');
    }
  }

  /** Learns card numbers with no account behind them, which are what this run is asked for. */
  publish(cardNumbers: readonly string[]): void {
    for (const cardNumber of cardNumbers) this.#published.add(cardNumber);
  }

  /**
   * Learns the identifiers of a request or a record, which are shown as they are though they look like card
   * numbers; not one that was typed as a card's.
   */
  addIdentifiers(value: Json, depth = 0): void {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
    for (const [name, inner] of Object.entries(value)) {
      const isText = typeof inner === 'string' || typeof inner === 'number';
      if (!isText) this.addIdentifiers(inner, depth + 1);
      else if (kindOfName(name) === 'identifier')
        for (const digits of cardNumbersIn(String(inner))) this.#identifiers.add(digits);
    }
  }

  /** @returns the text without card numbers and without the secrets of this run; any other text as it is. */
  scrub(text: string): string {
    return this.#scrub(text, new Set());
  }

  /** @returns as `scrub`, with published card numbers as they are */
  scrubRecords(text: string): string {
    return this.#scrub(text, this.#published);
  }

  /**
   * @returns the text without what this run knows to be a secret or a card number by its value: for what is kept,
   *   of which the rest is known by name and shape (redact.ts)
   */
  scrubKnown(text: string): string {
    return maskKnownNumbers(this.#withoutSecrets(text), this.#cardNumbers);
  }

  #scrub(text: string, published: ReadonlySet<string>): string {
    const known =
      published.size === 0
        ? this.#cardNumbers
        : new Set([...this.#cardNumbers].filter((number) => !published.has(number)));
    const scrubbed = maskKnownNumbers(this.#withoutSecrets(text), known);
    return maskCardNumbers(
      scrubbed,
      (digits) => published.has(digits) || this.#identifiers.has(digits),
    );
  }

  #withoutSecrets(text: string): string {
    let safe = text;
    for (const secret of this.#secrets)
      if (safe.includes(secret)) safe = safe.replaceAll(secret, HIDDEN);
    return safe;
  }
}

/** @returns a secret as it is, as JSON writes it in a text and in a text within one, and in an address */
function escapesOf(secret: string): string[] {
  const escaped = (text: string) => JSON.stringify(text).slice(1, -1);
  const inAddress = encodeURIComponent(Buffer.from(secret).toString());
  return [
    secret,
    escaped(secret),
    escaped(escaped(secret)),
    inAddress,
    inAddress.replace(/%../g, (code) => code.toLowerCase()),
  ];
}

/**
 * @returns a secret as hexadecimal digits and in both alphabets of base64, also as a part of a longer
 *   text: without the characters that what stands before and after it decides, too
 */
function encodingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const encoded = [0, 1, 2].flatMap((before) => {
    const longer = Buffer.concat([Buffer.alloc(before), bytes]);
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor((longer.length * 8) / 6);
    return (['base64', 'base64url'] as const).map((name) => longer.toString(name).slice(from, to));
  });
  const whole = [bytes.toString('base64').replaceAll('=', ''), bytes.toString('base64url')];
  return [hex, hex.toUpperCase(), ...encoded, ...whole];
}
