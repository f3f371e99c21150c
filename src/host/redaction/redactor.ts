/**
 * Knows the secrets of this run. It is the last line of defence: every byte that leaves the program passes here. Card
 * numbers and secrets that the run knows are removed.
 *
 * Searching by value needs a minimum length, because a short secret is part of ordinary words. The test gateway's
 * own username and token are TEST. Short secrets, including every CVV, are left to the names of fields (redact.ts).
 *
 * `scrubJson` removes these secrets from answers and requests before they are stored, `withoutHidden` the fields that
 * redact.ts hides.
 */
import { eachField, type Json, withTexts } from '../../base/json.ts';
import {
  cardNumbersIn,
  maskKnownNumbers,
  maskOnPage,
} from '../../contract/cards/find-card-numbers.ts';
import { HIDDEN, kindOfName } from './redact.ts';

/** Shorter secrets are not searched for in text. */
const MIN_SECRET_LENGTH = 6;

/** Finds the secrets of this run by their value and hides them in any text, both plain and in common encodings. */
export class Redactor {
  /** All forms of the secrets, longest first, because one may be part of another. */
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
    // PHP escapes a slash in JSON with a backslash.
    const slashed = long.map((form) => form.replaceAll('/', '\\/'));
    const all = new Set([...this.#secrets, ...long, ...slashed]);
    this.#secrets = [...all].sort((a, b) => b.length - a.length);
  }

  /** Learns a card number that was typed or sent, whatever its issuer. It is found inside longer digits too. */
  addCardNumber(cardNumber: string): void {
    this.#cardNumbers.add(cardNumber.replace(/\D/g, ''));
  }

  /**
   * Learns card numbers that the command line names: `--card-number N`, `card_number=N`. Digits in any other word are
   * judged by their shape. A reference or a part of an id may have a valid check digit too.
   */
  addCardNumbersOf(argv: readonly string[]): void {
    for (const [i, word] of argv.entries()) {
      const [name = '', value] = word.split(/=(.*)/s);
      const isName = word.startsWith('-') || value !== undefined;
      if (!isName || kindOfName(name) !== 'card number') continue;
      this.addCardNumber(value ?? argv[i + 1] ?? '');
    }
  }

  /** Learns published test card numbers that the user asked for; no account is behind them. */
  publish(cardNumbers: readonly string[]): void {
    for (const cardNumber of cardNumbers) this.#published.add(cardNumber);
  }

  /**
   * Learns the identifiers of a request or a record. They stay visible even if they look like card numbers, unless one
   * was typed as a card number.
   */
  addIdentifiers(value: Json): void {
    eachField(value, (name, inner) => {
      const isText = typeof inner === 'string' || typeof inner === 'number';
      if (isText && kindOfName(name) === 'identifier')
        for (const digits of cardNumbersIn(String(inner))) this.#identifiers.add(digits);
    });
  }

  /** @returns the text without card numbers and without the secrets of this run */
  scrub(text: string): string {
    return this.#scrub(text, new Set());
  }

  /** @returns the text of `scrub`, except that published card numbers stay */
  scrubRecords(text: string): string {
    return this.#scrub(text, this.#published);
  }

  /**
   * Removes only secrets and card numbers that this run knows by value. It is for text to store, where redact.ts
   * handles the rest by name and shape.
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
    return maskOnPage(scrubbed, (digits) => published.has(digits) || this.#identifiers.has(digits));
  }

  #withoutSecrets(text: string): string {
    let safe = text;
    for (const secret of this.#secrets)
      if (safe.includes(secret)) safe = safe.replaceAll(secret, HIDDEN);
    return safe;
  }
}

/** @returns a secret as it is, in JSON, in JSON inside JSON, and in a URL */
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
 * @returns a secret in hexadecimal and in both base64 alphabets. Includes forms inside a longer encoded text, without
 *   the characters that depend on its neighbours.
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

/** Removes the secrets of this run from a text. */
export type Scrub = (text: string) => string;

/** @returns the value without secrets in its texts and names; the same object if it has none */
export function scrubJson<Value extends Json>(value: Value, scrub: Scrub): Value {
  // Hardly any value contains a secret, which a scrub also finds as it is written in JSON.
  const json = JSON.stringify(value);
  if (scrub(json) === json) return value;
  const scrubbed = withTexts(value, scrub, (object) =>
    Object.fromEntries(Object.entries(object).map(([name, inner]) => [scrub(name), inner])),
  );
  return scrubbed as Value;
}

/** @returns a redacted value without its hidden fields; not even the fact that there was a CVV is stored */
export function withoutHidden(value: Json): Json {
  return withTexts(
    value,
    (text) => text,
    (object) => Object.fromEntries(Object.entries(object).filter(([, inner]) => inner !== HIDDEN)),
  );
}
