/**
 * `gw get ANYTHING`: tries first what the shape of the text suggests. Only other texts open the ledger and load more
 * code, so a look-up by id stays fast.
 */

import type { CommandOptions } from '../../cli/flags/command-options.ts';
import type { Operation } from '../../contract/operation.ts';
import { lookUpOf } from '../../contract/operations.ts';
import { kindOfId } from '../../contract/record-id.ts';
import { Failure, ifPossible, orFailure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { LazyLedger } from '../../requests/known/lazy-ledger.ts';
import { call, type FoundReply, type Manner, print } from '../../requests/look-up/get-many.ts';
import type { Session } from '../../requests/session.ts';

/** @returns the look-up for the shape of an id, and the id to ask for */
function shapeOf(text: string): { operation: Operation; id: string } | undefined {
  // The text as typed comes first: ids are opaque, and a gateway may use small letters.
  for (const id of [text, text.toUpperCase()]) {
    const kind = kindOfId(id);
    const operation = kind && lookUpOf(kind);
    if (operation) return { operation, id };
  }
  return undefined;
}

export interface AnythingOptions extends Pick<CommandOptions, 'request' | 'output'> {
  /** Whether to look up the records that belong to it. */
  follows: boolean;
}

/**
 * Finds the record that a text names, and shows it with the records that belong to it if wanted. Close it afterwards.
 */
export class Anything implements Manner {
  readonly #memory: LazyLedger;
  readonly #context: Context;
  readonly #options: AnythingOptions;

  constructor(context: Context, options: AnythingOptions) {
    this.#memory = new LazyLedger(context.host, { profile: options.request.profile });
    this.#context = context;
    this.#options = options;
  }

  /**
   * People type names without quotes.
   * @returns the words as one name, if this machine knows that name and none of the words names anything by itself
   */
  async idsIn(words: readonly string[]): Promise<readonly string[]> {
    if (words.length < 2 || words.some((word) => word === '-' || shapeOf(word))) return words;
    const ledger = await ifPossible(this.#memory.open());
    if (!ledger) return words;
    const isKnown = async (name: string) =>
      (await ledger.things.tied([name], { limit: 1 })).length > 0;
    for (const word of words) if (await isKnown(word)) return words;
    const name = words.join(' ');
    return (await isKnown(name)) ? [name] : words;
  }

  async find(session: Session, given: string): Promise<FoundReply> {
    const text = given.trim();
    const shaped = shapeOf(text);
    const found = shaped && (await orFailure(call(session, shaped.operation, shaped.id)));
    if (found && !(found instanceof Failure)) return found;
    if (found && found.kind !== 'notFound') throw found;
    const { findAnything } = await import('./find-anything.ts');
    return findAnything({ session, memory: this.#memory }, shaped?.id ?? text, found);
  }

  async show(session: Session, found: FoundReply): Promise<void> {
    const isCard = this.#isCard(session);
    const { follows, output } = this.#options;
    if (!isCard && !follows) return print(session, found);
    const { showWithTies } = await import('./show-related.ts');
    const [context, memory] = [this.#context, this.#memory];
    await showWithTies({ context, session, memory, output, isCard, follows }, found);
  }

  async close(): Promise<void> {
    await this.#memory.close();
  }

  /** Shows one record to a person. */
  #isCard({ isSingle }: Session): boolean {
    const { request, output } = this.#options;
    const { format, fields } = output;
    if (!isSingle || request.isRaw || fields !== undefined) return false;
    return format === undefined ? this.#context.host.stdout.isTerminal : format === 'table';
  }
}
