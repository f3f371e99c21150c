/**
 * Shows a record with the records that belong to it: as a panel on a terminal, and with `--follow` as the gateway has
 * them now.
 *
 * Tests: test/scripts/commands/get-card.script, test/system/hearsay.test.ts
 */

import pMap from 'p-map';
import type { JsonObject } from '../../base/json.ts';
import { snapshotsOf } from '../../client/connection/snapshots.ts';
import { gatewayTime } from '../../client/gateway-time.ts';
import { lookUpOf } from '../../contract/operations.ts';
import type { RecordKind } from '../../contract/record.ts';
import { lastDeclineLine } from '../../desk/history/last-decline.ts';
import { proposalLines } from '../../desk/history/open-proposals.ts';
import { type RelatedRoot, relatedRecords } from '../../desk/history/related.ts';
import { Failure } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { redactJson } from '../../host/redaction/redact.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import type { RecordSnapshot } from '../../journal/ledger.ts';
import type { LazyLedger } from '../../requests/known/lazy-ledger.ts';
import { type FoundReply, MAX_IN_FLIGHT, print } from '../../requests/look-up/get-many.ts';
import type { Session } from '../../requests/session.ts';
import type { Owner } from '../../things/owner.ts';
import { type PanelContent, PLAIN_VIEW } from '../../view/columns.ts';
import { knownFacts } from '../../view/panels/known-facts.ts';
import { renderPanel } from '../../view/panels/panel.ts';
import { panelContent } from '../../view/panels/panel-of.ts';
import type { SeenRecord, ShownTies } from '../../view/panels/ties.ts';
import {
  formatOf,
  type OutputOptions,
  showsWholeRecords,
  writePaged,
} from '../../view/print-records.ts';
import { loadMeasure } from '../../view/text/width.ts';
import { wrap } from '../../view/text/wrap.ts';
import { withFresh } from './live-records.ts';

export interface Showing {
  host: Pick<Host, 'clock' | 'files' | 'paged' | 'stderr' | 'stdout'>;
  session: Session;
  memory: LazyLedger;
  output: OutputOptions;
  /** The output for a panel; undefined for records. Beside a row of a script, a panel is a message. */
  panel: 'stdout' | 'stderr' | undefined;
  /** Whether to look up the records that belong to it. */
  follows: boolean;
}

type Target = Pick<SeenRecord, 'kind' | 'id'>;

/** The most records to look up. */
const MAX_ASKED = 50;
/** A found record may lead to others: a purchase to its subscription, and the subscription to its plan. */
const MAX_ROUNDS = 3;
/** There may be thousands of charges, so gw asks for the latest ones. */
const MAX_OF_KIND = 5;

export async function showWithTies(showing: Showing, found: FoundReply): Promise<void> {
  const { session, host, memory, panel, follows } = showing;
  const root = rootOf(found);
  if (!root) return panel === 'stderr' ? undefined : print(session, found);
  const since = host.clock.now().toISOString();
  const owner = await session.gateway.ledger.destination();
  const known = await memory.known().catch(async (error) => {
    // The record is worth showing without the others.
    if (!(error instanceof Failure)) throw error;
    await session.notice(`Note: gw cannot show what it knows here. ${error.message}`);
    return undefined;
  });
  const today = (await gatewayTime(host, session.profile)).toISOString().slice(0, 10);
  const tiesWith = (answers: readonly RelatedRoot[]) => {
    const now = host.clock.now();
    const fresh = [root, ...answers].flatMap((one) => snapshotOf(one, owner, now));
    return relatedRecords(withFresh(known, fresh), root, { owner, today });
  };
  const first = await tiesWith([]);
  const { ties, asked } = follows
    ? await follow(session, root, first, tiesWith)
    : { ties: first, asked: [] };
  const moment = { since, now: host.clock.now(), today };
  const shown = { record: root.record, ties, moment };
  if (!panel)
    return printFollowed(showing, { ...root, known: knownFacts(root.kind, shown) }, asked);
  const content = panelContent(root.kind, shown);
  const seen = withFresh(known, snapshotOf(root, owner, moment.now));
  const lines = [
    (await lastDeclineLine(seen, ties.items, today)) ?? [],
    await proposalLines(seen, ties.items, moment.now),
  ];
  await printPanel(showing, root, content, lines.flat());
}

function snapshotOf(
  { kind, record }: RelatedRoot,
  owner: Owner<string>,
  now: Date,
): RecordSnapshot[] {
  const operation = lookUpOf(kind);
  return operation ? snapshotsOf({ operation, records: [record] }, {}, owner, now) : [];
}

function rootOf(found: FoundReply): RelatedRoot | undefined {
  if (!('operation' in found)) {
    const { view, record } = found;
    return typeof view === 'string' ? { kind: view, record: redacted(record) } : undefined;
  }
  const [record] = found.records;
  return record && { kind: found.operation.kind, record: redacted(record) };
}

interface Followed {
  ties: ShownTies;
  /** The answers, in the order of the look-ups. */
  asked: RelatedRoot[];
}

/** Looks up the records that belong to a record, and those that they lead to. */
async function follow(
  session: Session,
  root: RelatedRoot,
  first: ShownTies,
  tiesWith: (answers: readonly RelatedRoot[]) => Promise<ShownTies>,
): Promise<Followed> {
  const done = new Set<string>();
  const asked: RelatedRoot[] = [];
  let ties = first;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const targets = targetsOf(root, ties).filter(({ kind, id }) => !done.has(`${kind} ${id}`));
    const some = targets.slice(0, MAX_ASKED - done.size);
    const left = targets.length - some.length;
    if (left > 0) await session.notice(`gw did not ask for ${left} of the related records.`);
    if (some.length === 0) break;
    for (const { kind, id } of some) done.add(`${kind} ${id}`);
    const answers = await pMap(some, (one) => ask(session, one), { concurrency: MAX_IN_FLIGHT });
    asked.push(...answers.flat());
    ties = await tiesWith(asked);
  }
  const isTied = tiedIn(ties);
  return { ties, asked: asked.filter(isTied) };
}

/** @returns whether a record still belongs to the root by the gateway's answers: it may have been asked for on hearsay */
function tiedIn({ purchase, customer, plan, subscriptions, items }: ShownTies) {
  const ones = [purchase, customer, plan, ...subscriptions].flatMap((one) => one?.id ?? []);
  const names = new Set([...ones, ...items.flatMap(({ id }) => id ?? [])]);
  return ({ kind, record: { id, reference } }: RelatedRoot) =>
    names.has(String(id)) || (kind !== 'purchase' && names.has(String(reference)));
}

async function ask(session: Session, { kind, id }: Target): Promise<RelatedRoot[]> {
  const operation = lookUpOf(kind);
  if (!operation) return [];
  try {
    const { records } = await session.call(operation, { id });
    return records.slice(0, 1).map((record) => ({ kind, record: redacted(record) }));
  } catch (error) {
    // The record is worth showing without this one.
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    await session.notice(`Could not look up ${kind} ${id}. ${error.message}`);
    return [];
  }
}

/** @returns the parts of a panel about other records */
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
  { kind, record, known }: RelatedRoot & { known: JsonObject },
  tied: readonly RelatedRoot[],
): Promise<void> {
  if (showsWholeRecords(formatOf(output))) {
    const whole = { kind, record, known, tied: tied.map((one) => ({ ...one })) };
    return session.printRecord(whole, PLAIN_VIEW);
  }
  for (const one of [{ kind, record }, ...tied]) await session.printRecord(one.record, one.kind);
}

async function printPanel(
  { host, output, panel }: Showing,
  { record }: RelatedRoot,
  content: PanelContent,
  lines: readonly string[],
): Promise<void> {
  const { columns, color, blocks, isPlain } = host.stdout;
  const style = { columns, color, blocks, isPlain, measure: await loadMeasure() };
  const wrapped = lines.map((line) => wrap(neutralise(line), columns, style.measure).join('\n'));
  const end = lines.length === 0 ? '' : `\n${wrapped.join('\n')}\n`;
  const text = renderPanel(record, content, style) + end;
  if (panel === 'stderr') await host.stderr.write(text);
  else await writePaged(host, output, text);
}

function redacted(record: JsonObject): JsonObject {
  return redactJson(record) as JsonObject;
}
