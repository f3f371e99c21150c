/** Merchant accounts and their credentials (section 5). API tokens are stored as salted hashes. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { LOCAL_CREDENTIALS } from '../../contract/local-account.ts';
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

export function addMerchant(tx: Transaction, merchant: Merchant & MerchantCredentials): void {
  const { api_token, ...account } = merchant;
  const salt = randomBytes(16).toString('hex');
  tx.insert('merchants', { ...account, token_salt: salt, token_hash: hash(salt, api_token) });
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
  const row = tx.get<Merchant & { token_salt: string; token_hash: string }>(
    'SELECT prefix, username, currency, token_salt, token_hash FROM merchants WHERE username = ?',
    credentials.username,
  );
  if (!row) return undefined;
  const given = Buffer.from(hash(row.token_salt, credentials.api_token), 'hex');
  if (!timingSafeEqual(given, Buffer.from(row.token_hash, 'hex'))) return undefined;
  return { prefix: row.prefix, username: row.username, currency: row.currency };
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

function hash(salt: string, token: string): string {
  return createHash('sha256').update(`${salt}:${token}`).digest('hex');
}
