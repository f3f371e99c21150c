/** Translates a statement for both stores (store/sql.ts) for the server: numbered values, and `number` for `rowid`. */
import { invariant } from '../../failure.ts';
import type { SqlStatement, SqlValue, SqlValues } from '../sql.ts';

interface Numbered {
  text: string;
  names: readonly string[];
}

const KNOWN = new Map<string, Numbered>();
/** A process that runs for days can build many texts from parts, and some are long. */
const MOST_KNOWN = 1_000;
const LONGEST_KNOWN = 10_000;

/** @returns the text with `$1`…, and the values in that order */
export function numbered({ text, values }: Pick<SqlStatement, 'text' | 'values'>): {
  text: string;
  values: SqlValue[];
} {
  const known = KNOWN.get(text) ?? remember(text);
  if (Array.isArray(values)) return { text: known.text, values: [...values] };
  const byName = values as SqlValues;
  const given = known.names.map((name) => {
    const value = byName[name];
    invariant(value !== undefined, `no value for the parameter ${name}`);
    return value;
  });
  return { text: known.text, values: given };
}

function remember(text: string): Numbered {
  const numbers = new Map<string, number>();
  const sql = text.replace(/(?<!:):([a-z]\w*)/gi, (_, name: string) => {
    const number = numbers.get(name) ?? numbers.size + 1;
    numbers.set(name, number);
    return `$${number}`;
  });
  const known = { text: sql.replace(/\browid\b/g, 'number'), names: [...numbers.keys()] };
  if (text.length > LONGEST_KNOWN) return known;
  if (KNOWN.size >= MOST_KNOWN) KNOWN.clear();
  KNOWN.set(text, known);
  return known;
}
