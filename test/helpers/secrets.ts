/**
 * Finds card numbers, API tokens and CVVs where they must not be: in outputs and files.
 *
 * Numbers and tokens are long enough to be looked for in any bytes. Three digits are not: in ids that
 * are drawn, in salts and checksums they happen to be. A CVV is looked for behind its label in bytes,
 * and by itself only in the values of a database, without those that are drawn.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { passesLuhn } from '../../src/contract/cards/card-number.ts';

export interface Secret {
  /** Names it without giving it away: `card number 512345…2346`. */
  name: string;
  /** How it may look, exactly. */
  forms: readonly string[];
}

/** Shorter tokens, such as TEST, are words; there is nothing to find. */
const MIN_TOKEN_LENGTH = 8;
const TOKEN = /GW_API_TOKEN='?([^'\s]+)|"api_?token":\s*"([^"]+)"/gi;
const LABELLED_CVV = /(?:cvv2?|cvc2?|cvn|security.?code)["'\\:=>\s]+\d{3,4}\b/i;
/** UUIDs, salts and hashes. */
const DRAWN = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{32,}/gi;

/** @returns the secrets that a text has on purpose, as an input */
export function secretsIn(text: string): Secret[] {
  const numbers = text.match(/(?<!\d)\d{12,19}(?!\d)/g)?.filter(passesLuhn) ?? [];
  const tokens = [...text.matchAll(TOKEN)]
    .map(([, first, second]) => first ?? second ?? '')
    .filter((token) => token.length >= MIN_TOKEN_LENGTH);
  return [
    ...[...new Set(numbers)].map((number) => ({
      name: `card number ${number.slice(0, 6)}…${number.slice(-4)}`,
      forms: [number, ...inBase64(number)],
    })),
    ...[...new Set(tokens)].map((token) => ({
      name: `API token ${token.slice(0, 4)}…`,
      forms: [token, encodeURIComponent(token), ...inBase64(token)].map(asBytes),
    })),
  ];
}

/** A text inside a longer one in base64 looks one of three ways, by what stands before it. */
function inBase64(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]).toString('base64');
    const end = Math.floor(((before + Buffer.byteLength(text)) * 8) / 6);
    return encoded.slice(Math.ceil((before * 8) / 6), end);
  });
}

/** Files are searched as bytes, a character each; so are texts. */
function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/**
 * @param hasCvvs false where help and examples are expected, which have a CVV behind its label
 * @returns the names of what is found in an output, or in the bytes of a file
 */
export function findSecrets(
  bytes: string | Buffer,
  secrets: readonly Secret[],
  { hasCvvs = true } = {},
): string[] {
  const text = typeof bytes === 'string' ? asBytes(bytes) : bytes.toString('latin1');
  const joined = text.replace(/(?<=\d)[ ._-](?=\d)/g, '');
  const found = secrets.filter(({ forms }) =>
    forms.some((form) => text.includes(form) || joined.includes(form)),
  );
  return [
    ...found.map(({ name }) => name),
    ...(hasCvvs && LABELLED_CVV.test(text) ? ['a CVV'] : []),
  ];
}

/**
 * Every file below a folder, with its bytes. What another program removes meanwhile is nothing that was
 * left behind: a keychain's daemon ends, and takes its sockets with it, after the session it served.
 */
export function* filesBelow(folder: string): Generator<{ place: string; text: Buffer }> {
  for (const entry of unlessGone(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(place);
    if (!entry.isFile()) continue;
    const text = unlessGone(() => readFileSync(place));
    if (text) yield { place, text };
  }
}

function unlessGone<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** @returns every value in every table of a database, one a line, without what is drawn at random */
export function valuesIn(file: string): string {
  const database = new DatabaseSync(file, { readOnly: true });
  // The full-text index keeps no texts. Its own tables, which are read too, have what it does keep.
  const tables = database
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'",
    )
    .all();
  const values = tables.flatMap(({ name }: { name?: unknown }) =>
    database.prepare(`SELECT * FROM "${name}"`).all().flatMap(Object.values),
  );
  database.close();
  return values
    .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : String(value)))
    .join('\n')
    .replace(DRAWN, '');
}
