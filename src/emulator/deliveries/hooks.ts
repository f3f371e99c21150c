/**
 * Hooks: the addresses to which a merchant's events are delivered.
 *
 * A hook is its merchant, its address and the events it wants. Registering the same one again returns the existing
 * hook, with its queue. A temporary hook belongs to a program that removes it at the end. If the program is killed, the
 * hook and its queue go when a delivery to it is abandoned, after two days of the gateway's time. Until then it blocks
 * nothing else, since deliveries only wait for those of the same hook and customer. If the program restarts in time, it
 * receives everything that it missed.
 *
 * Tests: test/unit/emulator/deliveries/deliver.test.ts
 */

import { receiverAddress } from '../../base/loopback.ts';
import { EVENT_NAMES } from '../../contract/webhooks/names.ts';
import { matcher } from '../../contract/webhooks/patterns.ts';
import { usage } from '../../failure.ts';
import { allRows, firstRow, insertedId, runSql } from '../../store/sql.ts';
import type { Store, Transaction } from '../store.ts';

export interface Hook {
  id: number;
  /** The prefix of the merchant. */
  merchant: string;
  /** May contain a username and a password, which `urlToShow` hides. */
  url: string;
  /** Event names with `*` for any text, separated by commas. */
  events: string;
  /** 1 or 0 */
  temporary: number;
  created_at: string;
}

export interface NewHook {
  /** The username of the merchant. */
  merchant: string;
  /** An address that `receiverAddress` takes. A username and password in it are sent with Basic authentication. */
  url: string;
  /** For example `charge:*,card:expired`; undefined for all events. */
  events?: string | undefined;
  /** true for a hook that belongs to a running program. */
  temporary?: boolean;
}

/**
 * Registers an address, to which events are delivered from now on.
 * @returns the id of the hook
 * @throws Failure usage if there is no such merchant, the address is not allowed, or the patterns fit no event
 */
export function registerHook(
  store: Store,
  { merchant: username, url, events = '*', temporary = false }: NewHook,
): number {
  const address = checkedUrl(url);
  const patterns = checkedPatterns(events);
  return store.write((tx) => {
    const merchant = prefixOf(tx, username);
    const known = tx.do(
      firstRow<{ id: number }>(
        'SELECT id FROM hooks WHERE merchant = ? AND url = ? AND events = ?',
        [merchant, address, patterns],
      ),
    );
    if (known) {
      // A permanent hook stays permanent.
      if (!temporary) tx.do(runSql('UPDATE hooks SET temporary = 0 WHERE id = ?', [known.id]));
      return known.id;
    }
    const created_at = tx.now.toISOString();
    const hook = { merchant, url: address, events: patterns, created_at };
    return tx.do(insertedId('hooks', { ...hook, temporary: Number(temporary) }));
  });
}

/** Removes a hook and cancels its queued deliveries. @returns whether there was one */
export function removeHook(store: Store, id: number): boolean {
  return store.write((tx) => {
    if (!tx.do(firstRow('SELECT 1 FROM hooks WHERE id = ?', [id]))) return false;
    dropHook(tx, id);
    return true;
  });
}

/** A hook with its merchant's username and the length of its queue. */
export interface ListedHook extends Hook {
  /** The merchant's username. */
  username: string;
  /** The number of waiting deliveries. */
  queued: number;
}

export function listHooks(store: Store): ListedHook[] {
  return store.read((tx) =>
    tx.do(
      allRows(`SELECT h.*, m.username,
         (SELECT count(*) FROM deliveries d WHERE d.hook = h.id AND d.state = 'queued') AS queued
       FROM hooks h JOIN merchants m ON m.prefix = h.merchant ORDER BY h.id`),
    ),
  );
}

export function dropHook(tx: Transaction, id: number): void {
  tx.do(runSql('DELETE FROM hooks WHERE id = ?', [id]));
  tx.do(
    runSql(
      "UPDATE deliveries SET state = 'cancelled', due_at = NULL WHERE hook = ? AND state = 'queued'",
      [id],
    ),
  );
}

/** @returns whether an event fits these patterns of a hook */
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
  const row = tx.do(
    firstRow<{ prefix: string }>('SELECT prefix FROM merchants WHERE username = ?', [username]),
  );
  if (row) return row.prefix;
  throw usage(
    'account-unknown',
    `The built-in test gateway has no account ${JSON.stringify(username)}.`,
    'Run `gw emulator status` to see the accounts.',
  );
}

function checkedUrl(text: string): string {
  const url = receiverAddress(text);
  if (url) return url.href;
  throw usage(
    'url-invalid',
    'The address of a webhook begins with http:// or https://.',
    'For example http://127.0.0.1:3000/hooks, or http://app:3000/ in a network of containers.',
  );
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
