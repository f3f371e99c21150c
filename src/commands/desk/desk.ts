/** Every page of the desk reads from this, and its text is freed from card data here. */
import type { JsonObject } from '../../base/json.ts';
import type { Program } from '../../cli/dispatch/program.ts';
import type { ProfileScope } from '../../cli/flags/whose.ts';
import type { Profile } from '../../client/profiles/profile.ts';
import type { Context } from '../../host/context.ts';
import { CardTokens } from '../../host/redaction/card-tokens.ts';
import { redactJson } from '../../host/redaction/redact.ts';
import { type Redactor, withoutHidden } from '../../host/redaction/redactor.ts';
import type { Thing } from '../../things/thing.ts';
import type { Item } from '../../view/panels/ties.ts';

/** The page of a record; its name follows. */
export const RECORD_PATH = '/record?name=';
/** The page of an event; its number follows. */
export const EVENT_PATH = '/events/';
/** The page of a report; its name follows, and perhaps more words. */
export const REPORT_PATH = '/report?of=';

export interface Desk {
  context: Context;
  profile: Profile;
  /** The rows that are shown: those of the profile. */
  us: ProfileScope;
  /** Its commands are run by pages (`typed.ts`). */
  program: Program;
  /** Tokens of cards, by which they can be charged: no page shows one. */
  tokens: PageTokens;
  /** A form sends it along with a change (`door.ts`). */
  token: string;
}

/** Finds the tokens of cards that a page read, and takes them out of its text. */
export class PageTokens {
  readonly #tokens = new CardTokens();
  readonly #redactor: Redactor;

  /** @param redactor of the run, which knows its secrets */
  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** @returns the record for a page: without its tokens, and with cards by their last four digits */
  record(record: JsonObject): JsonObject {
    this.#tokens.learnFrom(record);
    this.#redactor.addIdentifiers(record);
    return withoutHidden(redactJson(record, 'foreign')) as JsonObject;
  }

  /** @returns the things for a page; a card is known by its token alone, so it has no name there */
  things<Kind extends Pick<Thing, 'kind' | 'id' | 'token'>>(things: readonly Kind[]): Kind[] {
    return things.map((thing) => {
      const isCard = thing.kind === 'card';
      this.#tokens.learn(thing.token);
      if (isCard) this.#tokens.learn(thing.id);
      return { ...thing, token: null, ...(isCard && { id: '' }) };
    });
  }

  /** @returns the items of a timeline for a page, as `things` */
  items(items: readonly Item[]): Item[] {
    return items.map((item) => {
      this.#tokens.learn(item.token);
      if (item.what === 'card') this.#tokens.learn(item.id);
      return item.what === 'card' ? { ...item, id: null } : item;
    });
  }

  /** @returns a text of a page without the tokens and the secrets of the run, and with the last four digits of a card */
  scrub(text: string): string {
    // The redactor leaves ten digits of a card.
    return this.#tokens.scrub(this.#redactor.scrub(text));
  }
}
