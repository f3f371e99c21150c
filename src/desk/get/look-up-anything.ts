/**
 * `gw get ANYTHING`: what the shape of a text says is tried first. Everything else opens the ledger and
 * is loaded when it comes to that, so that a look-up by id costs what it always did.
 */

import type { Operation } from '../../contract/operation.ts';
import { lookUpOf } from '../../contract/operations.ts';
import { kindOfId } from '../../contract/record-id.ts';
import { Failure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { LazyLedger } from '../../requests/known/lazy-ledger.ts';
import { call, type FoundReply, type Manner, print } from '../../requests/look-up/get-many.ts';
import type { Session } from '../../requests/session.ts';
import type { PrintFlags } from '../../view/print-records.ts';

/** @returns the look-up that an id's shape speaks of, and the id as it is asked for */
function shapeOf(text: string): { operation: Operation; id: string } | undefined {
  // As it came first: ids are opaque, and some gateway may have small letters in them.
  for (const id of [text, text.toUpperCase()]) {
    const kind = kindOfId(id);
    const operation = kind && lookUpOf(kind);
    if (operation) return { operation, id };
  }
  return undefined;
}

export interface AnythingFlags extends PrintFlags {
  profile?: string | undefined;
  follow?: boolean | undefined;
  raw?: boolean | undefined;
}

/** Finds whatever a text names, and shows it with what it is tied to where that is wanted. To be closed. */
export class Anything implements Manner {
  readonly #memory: LazyLedger;
  readonly #context: Context;
  readonly #flags: AnythingFlags;

  constructor(context: Context, flags: AnythingFlags) {
    this.#memory = new LazyLedger(context.host, flags);
    this.#context = context;
    this.#flags = flags;
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
    const follows = this.#flags.follow === true;
    if (!isCard && !follows) return print(session, found);
    const { showWithTies } = await import('./show-related.ts');
    const [context, memory, flags] = [this.#context, this.#memory, this.#flags];
    await showWithTies({ context, session, memory, flags, isCard, follows }, found);
  }

  async close(): Promise<void> {
    await this.#memory.close();
  }

  /** One record for a person to read. */
  #isCard({ isSingle }: Session): boolean {
    const { raw, fields, json, output } = this.#flags;
    if (!isSingle || raw || json || fields !== undefined) return false;
    return output === undefined ? this.#context.host.stdout.isTerminal : output === 'table';
  }
}
