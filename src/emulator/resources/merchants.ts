/**
 * Merchant accounts and their credentials (section 5). Everybody knows the API tokens of the built-in ones. Those of a
 * seed are stored as hashes.
 */

import { LOCAL_CREDENTIALS } from '../../contract/local-account.ts';
import { sha256 } from '../../host/digest.ts';
import { firstRow, insert } from '../../store/sql.ts';
import type { Transaction } from '../store.ts';

export interface Merchant {
  /** The three digits at the beginning of the merchant's ids. */
  prefix: string;
  username: string;
  /** The currency of purchases and plans that name none. */
  currency: string;
}

export interface MerchantCredentials {
  username: string;
  api_token: string;
}

export const DEFAULT_CURRENCY = 'AUD';

/** The accounts of every new store. */
export const BUILT_IN_MERCHANTS: readonly (Merchant & MerchantCredentials)[] = [
  { prefix: '071', ...LOCAL_CREDENTIALS, currency: DEFAULT_CURRENCY },
  { prefix: '072', username: 'OTHER', api_token: 'OTHER', currency: DEFAULT_CURRENCY },
];

export function addBuiltInMerchants(tx: Transaction): void {
  for (const { prefix, username, currency } of BUILT_IN_MERCHANTS)
    tx.do(insert('merchants', { prefix, username, currency, token_hash: null }));
}

export function addMerchant(tx: Transaction, merchant: Merchant & MerchantCredentials): void {
  const { prefix, username, currency } = merchant;
  tx.do(insert('merchants', { prefix, username, currency, token_hash: hashOf(merchant) }));
}

/**
 * @param authorization the value of the Authorization header
 * @returns the merchant with these credentials; undefined if there is none
 */
export function authenticate(
  tx: Transaction,
  authorization: string | undefined,
): Merchant | undefined {
  const credentials = readBasic(authorization);
  if (!credentials) return undefined;
  const row = tx.do(
    firstRow<Merchant & { token_hash: string | null }>(
      'SELECT prefix, username, currency, token_hash FROM merchants WHERE username = ?',
      [credentials.username],
    ),
  );
  if (!row || !isRight(credentials, row.token_hash)) return undefined;
  return { prefix: row.prefix, username: row.username, currency: row.currency };
}

/** @param tokenHash null for a built-in merchant */
function isRight(given: MerchantCredentials, tokenHash: string | null): boolean {
  if (tokenHash !== null) return hashOf(given) === tokenHash;
  return BUILT_IN_MERCHANTS.some(
    ({ username, api_token }) => username === given.username && api_token === given.api_token,
  );
}

function readBasic(authorization: string | undefined): MerchantCredentials | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon === -1
    ? undefined
    : { username: text.slice(0, colon), api_token: text.slice(colon + 1) };
}

function hashOf({ username, api_token }: MerchantCredentials): string {
  return sha256(`${username}:${api_token}`);
}
