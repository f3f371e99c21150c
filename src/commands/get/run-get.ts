/**
 * `gw get ANYTHING`: tries first what the shape of the text suggests. Only other texts open the ledger and load more
 * code, so a look-up by id stays fast.
 */

import type { CommandOptions } from '../../cli/flags/command-options.ts';
import type { Operation } from '../../contract/operation.ts';
import { lookUpOf } from '../../contract/operations.ts';
import { kindOfId } from '../../contract/record.ts';
import type { NearDesk } from '../../desk/query/near-record.ts';
import { attempt, Failure, orFailure } from '../../failure.ts';
import { LazyLedger } from '../../requests/known/lazy-ledger.ts';
import type { KnownHost } from '../../requests/known/open-ledger.ts';
import { call, type FoundReply, type Manner, print } from '../../requests/look-up/get-many.ts';
import type { Showing } from './show-related.ts';

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

/** Kinds whose records say only by an id whose they are, or what was charged. */
const HAVE_OTHERS = ['customer', 'subscription', 'purchase', 'refund'];

/** Close it afterwards. */
export interface Anything extends Manner {
  /**
   * People type names without quotes.
   * @returns the words as one name, if none of them names anything by itself, and something here has them all
   */
  idsIn(words: readonly string[]): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Finds the record that a text names, and shows it with the records that belong to it if wanted. */
export function anything(
  host: KnownHost & Showing['host'] & NearDesk['host'],
  { request, output, follows }: AnythingOptions,
): Anything {
  const memory = new LazyLedger(host, { profile: request.profile });
  const { format, fields, jq } = output;
  const isOnScreen = format === undefined ? host.stdout.isTerminal : format === 'table';
  const isForPeople = isOnScreen && !request.isRaw && fields === undefined;
  const isUnasked = format === undefined && jq === undefined && fields === undefined;
  // A script that names no format gets the row; a person who reads it wants to know what belongs to it.
  const tells = isUnasked && !request.isRaw && !follows ? output : undefined;
  const panelFor = (found: FoundReply): Showing['panel'] => {
    if (isForPeople || (tells && found.foundBy === 'near')) return 'stdout';
    const { kind } = 'operation' in found ? found.operation : { kind: found.view };
    return tells && HAVE_OTHERS.some((one) => one === kind) ? 'stderr' : undefined;
  };
  return {
    async idsIn(words) {
      if (words.length < 2 || words.some((word) => word === '-' || shapeOf(word))) return words;
      const ledger = await attempt(memory.open());
      if (!ledger) return words;
      const isKnown = async (name: string) =>
        (await ledger.things.tied([name], { limit: 1 })).length > 0;
      for (const word of words) if (await isKnown(word)) return words;
      const name = words.join(' ');
      const found = await ledger.things.search({ text: name, limit: 1 });
      return found.length > 0 || (await isKnown(name)) ? [name] : words;
    },
    async find(session, given) {
      const text = given.trim();
      const shaped = shapeOf(text);
      const found = shaped && (await orFailure(call(session, shaped.operation, shaped.id)));
      if (found && !(found instanceof Failure)) return found;
      if (found && found.kind !== 'notFound') throw found;
      const { findAnything } = await import('./find-anything.ts');
      return findAnything({ host, session, memory, tells }, shaped?.id ?? text, found);
    },
    async show(session, found) {
      const panel = session.isSingle ? panelFor(found) : undefined;
      if (panel !== 'stdout' && !follows) await print(session, found);
      if (!panel && !follows) return;
      const { showWithTies } = await import('./show-related.ts');
      await showWithTies({ host, session, memory, output, panel, follows }, found);
    },
    close: () => memory.close(),
  };
}
