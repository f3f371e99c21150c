/**
 * Hooks: the addresses that a merchant's events are delivered to.
 *
 * A hook is its merchant, its address and the events it wants; registering the same one again gives
 * the same hook, with whatever is still queued for it. A temporary one belongs to a program that
 * takes it away when it ends. If it could not (it was killed), the hook goes with its queue when a
 * delivery to it is abandoned, so it is gone after two days of the gateway's time and blocks nobody
 * until then: deliveries wait for those of their own hook and customer only. Started again in
 * time, the program finds everything that it missed.
 */

import { isLoopback } from '../../base/loopback.ts';
import { EVENT_NAMES } from '../../contract/webhooks/names.ts';
import { matcher } from '../../contract/webhooks/patterns.ts';
import { usage } from '../../failure.ts';
import type { Store, Transaction } from '../store.ts';

export interface Hook {
  id: number;
  /** Prefix of the merchant. */
  merchant: string;
  /** May hold a username and a password, which `urlToShow` leaves out. */
  url: string;
  /** Event names with `*` for any text, separated by commas. */
  events: string;
  /** 1 or 0 */
  temporary: number;
  created_at: string;
}

export interface NewHook {
  /** Username of the merchant. */
  merchant: string;
  /** http to loopback, or https; a username and password in it are sent with Basic authentication. */
  url: string;
  /** For example `charge:*,card:expired`; without it all events. */
  events?: string | undefined;
  /** true for a hook that belongs to a running program. */
  temporary?: boolean;
}

/**
 * Events from now on are delivered to the address.
 * @returns the id of the hook
 * @throws Failure usage when there is no such merchant, the address may not be used, or no event is wanted
 */
export function registerHook(
  store: Store,
  { merchant: username, url, events = '*', temporary = false }: NewHook,
): number {
  const address = checkedUrl(url);
  const patterns = checkedPatterns(events);
  return store.write((tx) => {
    const merchant = prefixOf(tx, username);
    const known = tx.get<{ id: number }>(
      'SELECT id FROM hooks WHERE merchant = ? AND url = ? AND events = ?',
      merchant,
      address,
      patterns,
    );
    if (known) {
      // One that was asked for to stay stays.
      if (!temporary) tx.run('UPDATE hooks SET temporary = 0 WHERE id = ?', known.id);
      return known.id;
    }
    const created_at = tx.now.toISOString();
    const hook = { merchant, url: address, events: patterns, created_at };
    tx.insert('hooks', { ...hook, temporary: Number(temporary) });
    return tx.lastNumber();
  });
}

/** Removes a hook; what is queued for it is cancelled. @returns whether there was one */
export function removeHook(store: Store, id: number): boolean {
  return store.write((tx) => {
    if (!tx.get('SELECT 1 FROM hooks WHERE id = ?', id)) return false;
    dropHook(tx, id);
    return true;
  });
}

/** @returns all hooks with their merchant's username and how much is queued for them, oldest first */
export interface ListedHook extends Hook {
  /** Of the merchant. */
  username: string;
  /** Deliveries that wait. */
  queued: number;
}

export function listHooks(store: Store): ListedHook[] {
  return store.read((tx) =>
    tx.all(
      `SELECT h.*, m.username,
         (SELECT count(*) FROM deliveries d WHERE d.hook = h.id AND d.state = 'queued') AS queued
       FROM hooks h JOIN merchants m ON m.prefix = h.merchant ORDER BY h.id`,
    ),
  );
}

export function dropHook(tx: Transaction, id: number): void {
  tx.run('DELETE FROM hooks WHERE id = ?', id);
  tx.run(
    "UPDATE deliveries SET state = 'cancelled', due_at = NULL WHERE hook = ? AND state = 'queued'",
    id,
  );
}

/** @returns whether a hook with these patterns wants an event */
export function wants(patterns: string, name: string): boolean {
  return matcher(patterns.split(','))(name);
}

/** @returns the address without its username and password */
export function urlToShow(url: string): string {
  const parsed = new URL(url);
  if (parsed.username === '' && parsed.password === '') return url;
  parsed.username = '***';
  parsed.password = '';
  return parsed.href;
}

function prefixOf(tx: Transaction, username: string): string {
  const row = tx.get<{ prefix: string }>(
    'SELECT prefix FROM merchants WHERE username = ?',
    username,
  );
  if (row) return row.prefix;
  throw usage(
    'account-unknown',
    `The embedded gateway has no account ${JSON.stringify(username)}.`,
    'Run `gw emulator status` to see the accounts.',
  );
}

function checkedUrl(text: string): string {
  const next =
    'Use an https address, or an http address on this machine such as http://127.0.0.1:4242/.';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw usage('url-invalid', 'The address of a webhook must be an http or https URL.', next);
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw usage('plain-http', `Plain http to ${url.hostname} could be read on the way.`, next);
  url.hash = '';
  return url.href;
}

function checkedPatterns(text: string): string {
  const patterns = text.split(',').map((pattern) => pattern.trim());
  const useless = patterns.find((pattern) => !EVENT_NAMES.some((name) => wants(pattern, name)));
  if (useless === undefined) return patterns.join(',');
  throw usage(
    'event-unknown',
    `No event matches ${JSON.stringify(useless)}.`,
    `The events are ${EVENT_NAMES.join(', ')}. Use * for any text, as in charge:*.`,
  );
}
