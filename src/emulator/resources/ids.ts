/**
 * Identifiers: random numbers from the store's seed, written as letters and digits. An id that a record already has is
 * drawn again. A code starts with a letter, so that neither a person nor a spreadsheet reads it as a number.
 */
import { firstRow } from '../../store/sql.ts';
import type { Transaction } from '../store.ts';
import type { Table } from './record-lookup.ts';

const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const LETTERS = 26n;
const ID_LENGTH = 8;
const TOKEN_LENGTH = 12;

const LETTERS_OF_TABLE: Readonly<Record<Table, string>> = {
  purchases: 'P',
  refunds: 'R',
  plans: 'PL',
  customers: 'C',
  subscriptions: 'S',
};

/** @param prefix the merchant's three digits @returns an unused id, for example `071-P-K3Q81ZB0` */
export function newId(tx: Transaction, table: Table, prefix: string): string {
  for (;;) {
    const id = idOf(table, prefix, tx.random(table));
    if (!tx.do(firstRow(`SELECT 1 FROM ${table} WHERE id = ?`, [id]))) return id;
  }
}

/** @returns an unused token: twelve lower-case letters and digits */
export function newToken(tx: Transaction): string {
  for (;;) {
    const token = code(tx.random('cards'), TOKEN_LENGTH).toLowerCase();
    if (!tx.do(firstRow('SELECT 1 FROM cards WHERE token = ?', [token]))) return token;
  }
}

/** @param random 0 to 2⁶⁴ - 1 @returns for example `071-P-K3Q81ZB0` */
export function idOf(table: Table, prefix: string, random: bigint): string {
  return `${prefix}-${LETTERS_OF_TABLE[table]}-${code(random, ID_LENGTH)}`;
}

/** @returns six digits, which need not be unique */
export function newAuthorization(tx: Transaction): string {
  return authorizationOf(tx.random('authorizations'));
}

/** @param random as in `idOf` @returns six digits */
export function authorizationOf(random: bigint): string {
  return String(random % 1_000_000n).padStart(6, '0');
}

/** @returns a letter, then letters and digits */
function code(random: bigint, length: number): string {
  let text = CHARACTERS.charAt(Number(random % LETTERS));
  for (let rest = random / LETTERS; text.length < length; rest /= 36n)
    text += CHARACTERS.charAt(Number(rest % 36n));
  return text;
}
