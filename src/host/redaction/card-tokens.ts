/**
 * Takes what charges a card, and what tells its number, out of texts for readers that need neither: a browser and a
 * language model. A token has no form of its own, so gw learns those of the records that it reads. Of a masked card number
 * the last four digits stay, which are enough to speak of it.
 *
 * Tests: test/unit/commands/mcp/untrusted.test.ts, test/unit/commands/desk/desk-server.test.ts
 */
import { eachField, type Json } from '../../base/json.ts';
import { HIDDEN } from './redact.ts';

/** A shorter token is part of words. */
const LEAST_TOKEN = 6;

/** The first six and the last four digits of a card, with what masks the others between them. */
const MASKED = /(?<![\dA-Za-z])\d[\d .-]{3,9}[Xx*•][Xx*• .-]*(\d{4})(?!\d)/g;

/** The characters of a token, as far as texts around it have others. */
const WORD = /[\w-]{6,}/g;

export class CardTokens {
  readonly #tokens = new Set<string>();

  /** Learns the tokens that a record names as such, at any depth. */
  learnFrom(record: Json): void {
    eachField(record, (name, value, { kind }) => {
      // A card is known by its token alone.
      if (/token/i.test(name) || (name === 'id' && kind === 'card')) this.learn(value);
    });
  }

  learn(token: Json | undefined): void {
    if (typeof token === 'string' && token.length >= LEAST_TOKEN) this.#tokens.add(token);
  }

  /** @returns the text without the tokens, and with the last four digits of a card */
  scrub(text: string): string {
    let safe = text.replaceAll(WORD, (word) => (this.#tokens.has(word) ? HIDDEN : word));
    for (const token of this.#tokens)
      if (!/^[\w-]+$/.test(token)) safe = safe.replaceAll(token, HIDDEN);
    return safe.replaceAll(MASKED, '•••• $1');
  }
}
