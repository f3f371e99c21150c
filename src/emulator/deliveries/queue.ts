/**
 * The queue of deliveries in the store: which events each hook still has to get, and the results.
 *
 * A delivery is queued in the transaction of its event, and leaves the queue in a transaction of its own. So a kill at
 * any moment neither loses nor invents one. Its states:
 *
 *     queued ─ any 2xx ────────────────────────────→ delivered
 *        │ ─── anything else, two days after it ───→ abandoned
 *        └──── its hook is removed ────────────────→ cancelled ─ any 2xx to an attempt under way → delivered
 *
 * Deliveries of one hook and customer form a line. Only the first has a `due_at`; the next gets one when the first
 * leaves. So the events of a subscription arrive in order, and a failing receiver delays no other line. A failed
 * attempt is repeated after 1, 2, 4, 8, … minutes of the gateway's time, for the last time two days after the event. A
 * delivery that becomes the first of its line later than that is attempted once.
 *
 * The newest `MAX_LOG` deliveries that have left the queue are kept.
 *
 * Tests: test/unit/emulator/deliveries/deliver.test.ts
 */

import { backoffMs } from '../../base/backoff.ts';
import type { EventName } from '../../contract/webhooks/names.ts';
import { eventBody, type Occasion } from '../../contract/webhooks/payload.ts';
import { allRows, firstRow, insert, insertedId, onlyRow, runSql, update } from '../../store/sql.ts';
import type { Transaction } from '../store.ts';
import { dropHook, type Hook, wants } from './hooks.ts';

const ABANDONED_AFTER_MS = 2 * 86_400_000;
const BACKOFF = { firstMs: 60_000, maxMs: ABANDONED_AFTER_MS };
/** Repeats are not spread at random, so the same seed gives the same times. */
const inFull = () => 1;
const MAX_LOG = 100_000;
const MAX_WAVE = 256;

export type DeliveryState = 'queued' | 'delivered' | 'abandoned' | 'cancelled';

/** An event of a merchant's customer. */
interface Happening {
  /** The prefix of the merchant. */
  merchant: string;
  name: EventName;
  at: Date;
  /** Called only if a hook wants the event. */
  occasion: () => Occasion;
}

/** Queues an event for every hook that wants it. */
export function queueEvent(
  tx: Transaction,
  { merchant, name, at, occasion: occasionOf }: Happening,
): void {
  const hooks = tx
    .do(allRows<Hook>('SELECT * FROM hooks WHERE merchant = ? ORDER BY id', [merchant]))
    .filter(({ events }) => wants(events, name));
  if (hooks.length === 0) return;
  const occasion = occasionOf();
  const customer = occasion.customer.id;
  const created_at = at.toISOString();
  const body = JSON.stringify(eventBody(occasion, !tx.isLive));
  const event = tx.do(insertedId('events', { merchant, customer, name, created_at, body }));
  for (const hook of hooks) queue(tx, hook, { event, customer, created_at });
}

function queue(
  tx: Transaction,
  hook: Hook,
  delivery: { event: number; customer: string; created_at: string },
): void {
  const isBehind = tx.do(
    firstRow(
      "SELECT 1 FROM deliveries WHERE hook = ? AND customer = ? AND state = 'queued' LIMIT 1",
      [hook.id, delivery.customer],
    ),
  );
  tx.do(
    insert('deliveries', {
      ...delivery,
      hook: hook.id,
      url: hook.url,
      state: 'queued',
      due_at: isBehind ? null : delivery.created_at,
      attempts: 0,
    }),
  );
}

export interface DueDelivery {
  id: number;
  url: string;
  body: string;
  /** When it happened, by the gateway's clock: ISO 8601. */
  created_at: string;
}

/** Deliveries of different lines that are attempted at one instant of the gateway's time. */
export interface Wave {
  at: Date;
  deliveries: DueDelivery[];
}

/** @returns whether anything is due up to and including `until` */
export function isAnyDue(tx: Transaction, until: Date): boolean {
  const due = firstDue(tx);
  return due !== undefined && due <= until;
}

function firstDue(tx: Transaction): Date | undefined {
  const { due_at } = tx.do(
    onlyRow<{ due_at: string | null }>(
      'SELECT min(due_at) AS due_at FROM deliveries WHERE due_at IS NOT NULL',
    ),
  );
  return due_at === null ? undefined : new Date(due_at);
}

/** @returns the first deliveries that are due up to and including `until`, at most 256; undefined if there are none */
export function nextWave(tx: Transaction, until: Date): Wave | undefined {
  const due = firstDue(tx);
  if (due === undefined || due > until) return undefined;
  const at = new Date(Math.max(due.getTime(), tx.now.getTime()));
  const deliveries = tx.do(
    allRows<DueDelivery>(
      `SELECT d.id, d.url, e.body, e.created_at FROM deliveries d JOIN events e ON e.id = d.event
     WHERE d.due_at <= ? ORDER BY d.due_at, d.id LIMIT ?`,
      [at.toISOString(), MAX_WAVE],
    ),
  );
  return { at, deliveries };
}

/** @returns whether it still waits */
export function isQueued(tx: Transaction, delivery: DueDelivery): boolean {
  return stateOf(tx, delivery) === 'queued';
}

/** @returns undefined if it is gone: a reset drops it, and another one may have its number then */
function stateOf(tx: Transaction, { id, url, body }: DueDelivery): DeliveryState | undefined {
  const found = tx.do(
    firstRow<{ state: DeliveryState }>(
      `SELECT d.state FROM deliveries d JOIN events e ON e.id = d.event
      WHERE d.id = ? AND d.url = ? AND e.body = ?`,
      [id, url, body],
    ),
  );
  return found?.state;
}

/**
 * Records the result of an attempt, and the time of the next one.
 * @param at the time of the attempt
 * @param result a few words about the receiver's answer
 * @returns the delivery's new state; undefined if it is neither in the queue now, nor delivered though its hook was
 *   removed meanwhile
 */
export function settle(
  tx: Transaction,
  delivery: DueDelivery,
  at: Date,
  { isDelivered, result }: { isDelivered: boolean; result: string },
): Exclude<DeliveryState, 'cancelled'> | undefined {
  const before = stateOf(tx, delivery);
  if (before !== 'queued' && !(before === 'cancelled' && isDelivered)) return undefined;
  const { id } = delivery;
  const row = tx.do(
    onlyRow<Pick<LoggedDelivery, 'hook' | 'customer' | 'created_at' | 'attempts'>>(
      'SELECT hook, customer, created_at, attempts FROM deliveries WHERE id = ?',
      [id],
    ),
  );
  tx.moveTo(at);
  const deadline = Date.parse(row.created_at) + ABANDONED_AFTER_MS;
  const isOver = isDelivered || at.getTime() >= deadline;
  const state = isDelivered ? 'delivered' : isOver ? 'abandoned' : 'queued';
  const next = Math.min(at.getTime() + backoffMs(row.attempts, BACKOFF, inFull), deadline);
  const due_at = isOver ? null : new Date(next).toISOString();
  const attempted = { attempts: row.attempts + 1, attempted_at: at.toISOString(), result };
  tx.do(update('deliveries', { state, due_at, ...attempted }, { id }));
  if (!isOver) return state;
  const isTemporary = 'SELECT 1 FROM hooks WHERE id = ? AND temporary = 1';
  if (state === 'abandoned' && tx.do(firstRow(isTemporary, [row.hook]))) dropHook(tx, row.hook);
  tx.do(
    runSql(
      `UPDATE deliveries SET due_at = ? WHERE id =
       (SELECT min(id) FROM deliveries WHERE hook = ? AND customer = ? AND state = 'queued')`,
      [at.toISOString(), row.hook, row.customer],
    ),
  );
  return state;
}

/** Deletes the oldest deliveries that have left the queue, and events without a delivery. */
export function pruneLog(tx: Transaction): void {
  const newest = tx.do(onlyRow<{ id: number | null }>('SELECT max(id) AS id FROM deliveries')).id;
  if (newest === null || newest <= MAX_LOG) return;
  tx.do(runSql("DELETE FROM deliveries WHERE id <= ? AND state <> 'queued'", [newest - MAX_LOG]));
  tx.do(runSql('DELETE FROM events WHERE id < (SELECT min(event) FROM deliveries)'));
}

export interface LoggedDelivery {
  id: number;
  hook: number;
  url: string;
  /** The name of the event. */
  event: string;
  /** The id of the event's customer. */
  customer: string;
  /** The time of the event. */
  created_at: string;
  state: DeliveryState;
  attempts: number;
  /** The time of the last attempt. */
  attempted_at: string | null;
  /** The result of the last attempt: a status, or the problem. */
  result: string | null;
  /** The time of the next attempt; null behind another delivery of the same hook and customer. */
  due_at: string | null;
  body: string;
}

/** @returns the log, newest first */
export function listDeliveries(
  tx: Transaction,
  { hook, state, limit }: { hook?: number | undefined; state?: string | undefined; limit: number },
): LoggedDelivery[] {
  return tx.do(
    allRows(
      `SELECT d.id, d.hook, d.url, e.name AS event, d.customer, d.created_at, d.state, d.attempts,
       d.attempted_at, d.result, d.due_at, e.body
     FROM deliveries d JOIN events e ON e.id = d.event
     WHERE (:hook IS NULL OR d.hook = :hook) AND (:state IS NULL OR d.state = :state)
     ORDER BY d.id DESC LIMIT :limit`,
      { hook: hook ?? null, state: state ?? null, limit },
    ),
  );
}

/** @returns how many deliveries wait for their turn or their time */
export function countQueued(tx: Transaction): number {
  return tx.do(
    onlyRow<{ n: number }>("SELECT count(*) AS n FROM deliveries WHERE state = 'queued'"),
  ).n;
}

/** @returns how many deliveries of the events of an instant were taken, whoever delivered them */
export function countTaken(tx: Transaction, at: Date): number {
  return tx.do(
    onlyRow<{ n: number }>(
      "SELECT count(*) AS n FROM deliveries WHERE state = 'delivered' AND created_at = ?",
      [at.toISOString()],
    ),
  ).n;
}
