/**
 * Shows a record with the records that belong to it: as a card on a terminal, and with `--follow` as the gateway has
 * them now.
 */
import pMap from 'p-map';
import type { JsonObject } from '../../base/json.ts';
import { gatewayTime } from '../../client/connection/wire.ts';
import { lookUpOf } from '../../contract/operations.ts';
import type { RecordKind } from '../../contract/record-id.ts';
import { Failure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { redactJson } from '../../host/redaction/redact.ts';
import type { Destination } from '../../journal/ledger.ts';
import type { LazyLedger } from '../../requests/known/lazy-ledger.ts';
import { type FoundReply, MAX_IN_FLIGHT, print } from '../../requests/look-up/get-many.ts';
import type { Session } from '../../requests/session.ts';
import { renderCard } from '../../view/cards/card.ts';
import { cardContent } from '../../view/cards/card-of.ts';
import type { ShownTies } from '../../view/cards/related-record.ts';
import { PLAIN_VIEW } from '../../view/columns.ts';
import { formatOf, isWholeIn, type OutputOptions, writePaged } from '../../view/print-records.ts';
import { loadMeasure } from '../../view/text/width.ts';
import { type FreshRecord, freshRecord, withFresh } from './live-records.ts';
import { type RelatedRoot, relatedRecords } from './related.ts';

export interface Showing {
  context: Context;
  session: Session;
  memory: LazyLedger;
  output: OutputOptions;
  /** true for a card, false for records. */
  isCard: boolean;
  /** Whether to look up the records that belong to it. */
  follows: boolean;
}

interface Target {
  kind: RecordKind;
  id: string;
}

/** The most records to look up. */
const MAX_ASKED = 50;
/** A found record may lead to others: a purchase to its subscription, and the subscription to its plan. */
const MAX_ROUNDS = 3;
/** There may be thousands of charges, so gw asks for the latest ones. */
const MAX_OF_KIND = 5;

export async function showWithTies(showing: Showing, found: FoundReply): Promise<void> {
  const { session, context, isCard, follows } = showing;
  const root = rootOf(found);
  if (!root) return print(session, found);
  const since = context.host.clock.now().toISOString();
  const look = await RelatedView.at(showing, root);
  let ties = await look.ties();
  if (follows) ties = await look.follow(ties);
  if (!isCard) return printFollowed(showing, root, look.asked);
  await printCard(showing, root, ties, since);
}

function rootOf(found: FoundReply): RelatedRoot | undefined {
  if (!('operation' in found)) {
    const { view, record } = found;
    return typeof view === 'string' ? { kind: view, record: redacted(record) } : undefined;
  }
  const [record] = found.records;
  return record && { kind: found.operation.kind, record: redacted(record) };
}

/** One record, with the gateway's answers about it and the records that belong to it. */
class RelatedView {
  /** In the order of the look-ups. */
  readonly asked: FreshRecord[] = [];
  readonly #showing: Showing;
  readonly #root: RelatedRoot;
  readonly #owner: Destination;
  readonly #known: Awaited<ReturnType<LazyLedger['known']>>;

  private constructor(
    showing: Showing,
    root: RelatedRoot,
    { owner, known }: { owner: Destination; known: Awaited<ReturnType<LazyLedger['known']>> },
  ) {
    this.#showing = showing;
    this.#root = root;
    this.#owner = owner;
    this.#known = known;
  }

  static async at(showing: Showing, root: RelatedRoot): Promise<RelatedView> {
    const owner = await showing.session.gateway.ledger.destination();
    const known = await showing.memory.known().catch(async (error) => {
      // The record is worth showing without the others.
      if (!(error instanceof Failure)) throw error;
      await showing.session.notice(`Note: gw cannot show what it knows here. ${error.message}`);
      return undefined;
    });
    return new RelatedView(showing, root, { owner, known });
  }

  async ties(): Promise<ShownTies> {
    const { context, session } = this.#showing;
    const own = this.#fresh(this.#root.kind, this.#root.record);
    const known = withFresh(this.#known, [...(own ? [own] : []), ...this.asked]);
    const today = (await gatewayTime(context, session.profile)).toISOString().slice(0, 10);
    return relatedRecords(known, this.#root, { owner: this.#owner, today });
  }

  /** Looks up the records that belong to it, and those that they lead to. */
  async follow(first: ShownTies): Promise<ShownTies> {
    const { session } = this.#showing;
    const done = new Set<string>();
    let ties = first;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const targets = targetsOf(this.#root, ties).filter(
        ({ kind, id }) => !done.has(`${kind} ${id}`),
      );
      const some = targets.slice(0, MAX_ASKED - done.size);
      if (some.length < targets.length)
        await session.notice(
          `gw did not ask for ${targets.length - some.length} of the related records.`,
        );
      if (some.length === 0) return ties;
      for (const { kind, id } of some) done.add(`${kind} ${id}`);
      const records = await pMap(some, (one) => this.#ask(one), { concurrency: MAX_IN_FLIGHT });
      this.asked.push(...records.flatMap((record) => record ?? []));
      ties = await this.ties();
    }
    return ties;
  }

  async #ask({ kind, id }: Target): Promise<FreshRecord | undefined> {
    const { session } = this.#showing;
    const operation = lookUpOf(kind);
    if (!operation) return undefined;
    try {
      const { records } = await session.call(operation, { id });
      return records[0] && this.#fresh(kind, redacted(records[0]));
    } catch (error) {
      // The record is worth showing without this one.
      if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
      await session.notice(`Could not look up ${kind} ${id}. ${error.message}`);
      return undefined;
    }
  }

  #fresh(kind: RecordKind, record: JsonObject): FreshRecord | undefined {
    const now = this.#showing.context.host.clock.now().toISOString();
    return freshRecord(kind, record, this.#owner, now);
  }
}

/** @returns the parts of a card about other records */
function targetsOf(root: RelatedRoot, ties: ShownTies): Target[] {
  const { purchase, customer, plan, subscriptions } = ties;
  const items = ties.items.toReversed().flatMap(({ id, isMoney, isRefund }): Target[] => {
    if (id === null || !isMoney) return [];
    return [{ kind: isRefund ? 'refund' : 'purchase', id }];
  });
  const latest = (kind: RecordKind) =>
    items.filter((one) => one.kind === kind).slice(0, MAX_OF_KIND);
  const ones = [purchase, customer, ...subscriptions, plan].filter((one) => one !== null);
  const all = [...ones, ...latest('purchase'), ...latest('refund')];
  const own = [root.record.id, root.record.reference];
  const isRoot = ({ kind, id }: Target) => kind === root.kind && own.includes(id);
  const unique = new Map(all.map(({ kind, id }) => [`${kind} ${id}`, { kind, id }]));
  return [...unique.values()].filter((one) => !isRoot(one));
}

async function printFollowed(
  { session, output }: Showing,
  { kind, record }: RelatedRoot,
  asked: readonly FreshRecord[],
): Promise<void> {
  if (isWholeIn(formatOf(output))) {
    const tied = asked.map((one) => ({ kind: one.kind, record: one.record }));
    return session.printRecord({ kind, record, tied }, PLAIN_VIEW);
  }
  await session.printRecord(record, kind);
  for (const one of asked) await session.printRecord(one.record, one.kind);
}

async function printCard(
  { context, session, output }: Showing,
  { kind, record }: RelatedRoot,
  ties: ShownTies,
  since: string,
): Promise<void> {
  const { host } = context;
  const { clock } = host;
  const today = (await gatewayTime(context, session.profile)).toISOString().slice(0, 10);
  const moment = { since, now: clock.now(), today };
  const { columns, color, blocks, isPlain } = host.stdout;
  const style = { columns, color, blocks, isPlain, measure: await loadMeasure() };
  const card = renderCard(record, cardContent(kind, { record, ties, moment }), style);
  await writePaged(host, output, card);
}

function redacted(record: JsonObject): JsonObject {
  return redactJson(record) as JsonObject;
}
