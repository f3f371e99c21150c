/**
 * `gw get ANYTHING`: what the shape of a text says is tried first. Everything else opens the ledger and
 * is loaded when it comes to that, so that a look-up by id costs what it always did.
 */

import type { CommandOptions } from '../../cli/flags/command-options.ts';
import type { Operation } from '../../contract/operation.ts';
import { lookUpOf } from '../../contract/operations.ts';
import { kindOfId } from '../../contract/record-id.ts';
import { Failure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { LazyLedger } from '../../requests/known/lazy-ledger.ts';
import { call, type FoundReply, type Manner, print } from '../../requests/look-up/get-many.ts';
import type { Session } from '../../requests/session.ts';

/** This machine's records only help a look-up, so a failure to read them is ignored. @throws any other error, and an interruption */
function unlessFailure(error: unknown): undefined {
  if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
}

/** @returns the look-up that an id's shape speaks of, and the id as it is asked for */
function shapeOf(text: string): { operation: Operation; id: string } | undefined {
  // First the text as typed: ids are opaque, and a gateway may use small letters.
  for (const id of [text, text.toUpperCase()]) {
    const kind = kindOfId(id);
    const operation = kind && lookUpOf(kind);
    if (operation) return { operation, id };
  }
  return undefined;
}

export interface AnythingOptions extends Pick<CommandOptions, 'request' | 'output'> {
  /** Whether the gateway is asked for what a record is tied to. */
  follows: boolean;
}

/** Finds whatever a text names, and shows it with what it is tied to where that is wanted. To be closed. */
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
   * A name has no quotes around it on the phone.
   * @returns the words as one where that is a name that is known here, and none of them names anything by itself
   */
  async idsIn(words: readonly string[]): Promise<readonly string[]> {
    if (words.length < 2 || words.some((word) => word === '-' || shapeOf(word))) return words;
    const ledger = await this.#memory.open().catch(unlessFailure);
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
    const asking = { session, memory: this.#memory };
    if (!shaped) return (await import('./find-anything.ts')).findAnything(asking, text);
    try {
      return await call(session, shaped.operation, shaped.id);
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== 'notFound') throw error;
      return (await import('./find-anything.ts')).findAfter(asking, shaped.id, error);
    }
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

  /** One record for a person to read. */
  #isCard({ isSingle }: Session): boolean {
    const { request, output } = this.#options;
    const { format, fields } = output;
    if (!isSingle || request.isRaw || fields !== undefined) return false;
    return format === undefined ? this.#context.host.stdout.isTerminal : format === 'table';
  }
}
