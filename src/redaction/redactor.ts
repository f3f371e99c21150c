/**
 * The secrets of this run, and the last line of defence: every byte that leaves the program passes
 * here, and what is a card number, or a secret that the run knows, does not.
 *
 * By value needs a limit: a short secret is part of ordinary words (the embedded gateway's own
 * username and token are TEST), so it is left to the names of fields (redact.ts). A CVV is always
 * that short.
 */

import { maskCardNumbers } from '../contract/find-card-numbers.ts';
import { kindOfName } from './names.ts';
import { HIDDEN } from './redact.ts';

/** Shorter secrets are not searched for in text. */
const MIN_SECRET_LENGTH = 6;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The secrets of this run, found and hidden in any text, also as they look inside JSON, a URL or HTML. */
export class Redactor {
  readonly #secrets = new Set<string>();
  readonly #cardNumbers = new Set<string>();
  readonly #published = new Set<string>();

  /** Learns an API token, a password or another secret. */
  addSecret(secret: string): void {
    const escaped = encodeURIComponent(secret);
    const forms = [
      ...[secret, JSON.stringify(secret).slice(1, -1), escaped],
      escaped.replace(/%../g, (code) => code.toLowerCase()),
      secret.replace(/[&<>"'+]/g, (character) => `&#${character.charCodeAt(0)};`),
      secret.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character),
    ];
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

  /** @returns the text without card numbers and without the secrets of this run; any other text as it is. */
  scrub(text: string): string {
    return this.#scrub(text, (digits) => this.#cardNumbers.has(digits) || undefined);
  }

  /** @returns as `scrub`, with published card numbers as they are */
  scrubRecords(text: string): string {
    return this.#scrub(text, (digits) =>
      this.#published.has(digits) ? false : this.#cardNumbers.has(digits) || undefined,
    );
  }

  #scrub(text: string, isKnown: (digits: string) => boolean | undefined): string {
    let scrubbed = text;
    for (const secret of [...this.#secrets].sort((a, b) => b.length - a.length)) {
      scrubbed = scrubbed.replaceAll(secret, HIDDEN);
    }
    return maskCardNumbers(scrubbed, 'page', isKnown);
  }
}
