/** The index in the ledger's SQLite file. */
import type { Queries } from '../storage/queries.ts';
import type { Value } from '../storage/stored-text.ts';
import type { Fact, FactKind } from './fact.ts';
import { FACT_COLUMNS, OUTCOME } from './fact-columns.ts';
import type { FactFilter, FactSearch, FactSources, Facts } from './facts.ts';
import { fold, spaced } from './fold.ts';
import { minorUnitsOf } from './money-of-filter.ts';
import {
  accountOfProfile,
  type FactScope,
  type FactTotal,
  newestChargesOf,
  type TotalsQuery,
  totalsOf,
} from './totals.ts';
import { DOCS_A_SECOND, secondOf } from './write-facts.ts';

/** Characters of a trigram: a shorter word is looked for at the beginnings of names. */
const TRIGRAM = 3;
const PAGE_ROWS = 1_000;
/** `25.00`, `$1,250.00`. */
const MONEY = /^[$€£¥]?(?:\d{1,12}|\d{1,3}(?:,\d{3}){1,3})\.\d{2,4}$/;

/** Runs a query on one snapshot. */
type Read = <Result>(work: (queries: Queries) => Result) => Promise<Result>;

export class SqliteFacts implements Facts {
  readonly #read: Read;

  constructor(read: Read) {
    this.#read = read;
  }

  search(search: FactSearch): Promise<Fact[]> {
    return this.#read((queries) => {
      const text = fold(search.text ?? '');
      if (text === '') return newest(queries, ALL, search);
      const exact = called(queries, [text], search);
      const left = search.limit - exact.length;
      if (left <= 0) return exact;
      const known = new Set(exact.map(({ doc }) => doc));
      const found = newest(queries, matching(text), {
        ...search,
        limit: search.limit + exact.length,
      });
      return [...exact, ...found.filter(({ doc }) => !known.has(doc)).slice(0, left)];
    }).then((rows) => rows.map(factOf));
  }

  async tied(names: readonly string[], filter: FactFilter & { limit: number }): Promise<Fact[]> {
    const rows = await this.#read((queries) => called(queries, names.map(fold), filter));
    return rows.map(factOf);
  }

  async *each(filter: FactFilter): AsyncGenerator<Fact> {
    for (let above = -1; ; ) {
      const { where, values } = conditions(filter);
      const rows = await this.#read((queries) =>
        queries.all<Row>(
          `SELECT ${FACT_COLUMNS} FROM facts WHERE doc > :above AND ${where} ORDER BY doc LIMIT :count`,
          { ...values, above, count: PAGE_ROWS },
        ),
      );
      for (const row of rows) {
        above = row.doc;
        yield factOf(row);
      }
      if (rows.length < PAGE_ROWS) return;
    }
  }

  sources(): Promise<FactSources> {
    return this.#read((queries) => {
      const counts = queries.all<{ kind: FactKind; count: number }>(
        'SELECT kind, count(*) AS count FROM facts GROUP BY kind',
      );
      const ends = queries.one<{ oldest: string | null; newest: string | null }>(
        `SELECT (SELECT at FROM facts ORDER BY doc LIMIT 1) AS oldest,
                (SELECT at FROM facts ORDER BY doc DESC LIMIT 1) AS newest`,
      );
      return {
        kinds: Object.fromEntries(counts.map(({ kind, count }) => [kind, count])),
        ...ends,
      };
    });
  }

  totals(query: TotalsQuery): Promise<FactTotal[]> {
    return this.#read((queries) => totalsOf(queries, query));
  }

  accountOf(whose: Pick<FactScope, 'profile' | 'environment'>): Promise<string | null> {
    return this.#read((queries) => accountOfProfile(queries, whose));
  }

  newestCharges(scope: FactScope): Promise<Fact[]> {
    return this.#read((queries) => newestChargesOf(queries, scope));
  }

  isWhole(): Promise<boolean> {
    return this.#read(
      (queries) =>
        queries.one<{ isWhole: number }>('SELECT is_whole AS isWhole FROM facts_state').isWhole ===
        1,
    );
  }
}

type Row = Fact & { doc: number };

/** The conditions of a filter, and their values by name. */
function conditions(filter: FactFilter) {
  const { kinds = [], since, until, profile, outcome, amount, money } = filter;
  const values: Record<string, Value> = {};
  const where = ['1'];
  const add = (clause: string, name: string, value: Value) => {
    where.push(clause);
    values[name] = value;
  };
  if (kinds.length > 0)
    add('kind IN (SELECT value FROM json_each(:kinds))', 'kinds', JSON.stringify(kinds));
  if (since !== undefined) add('doc >= :since', 'since', secondOf(since) * DOCS_A_SECOND);
  if (until !== undefined) add('doc < :until', 'until', secondOf(until) * DOCS_A_SECOND);
  if (profile !== undefined) add('profile = :profile', 'profile', profile);
  if (outcome !== undefined)
    add(`${OUTCOME} IN (SELECT value FROM json_each(:outcomes))`, 'outcomes', listOf(outcome));
  if (amount !== undefined) add('abs(amount) = :amount', 'amount', Math.abs(amount));
  if (money !== undefined) {
    const { usual, others } = minorUnitsOf(money);
    const all = JSON.stringify([usual, ...new Set(Object.values(others))]);
    add('abs(amount) IN (SELECT value FROM json_each(:amounts))', 'amounts', all);
    add(OF_MONEY, 'others', JSON.stringify(others));
    values.usual = usual;
  }
  return { where: where.join(' AND '), values };
}

const OF_MONEY = `
  abs(amount) = coalesce((SELECT value FROM json_each(:others) WHERE key = currency), :usual)`;

function listOf(outcome: string | readonly string[]): string {
  return JSON.stringify([outcome].flat());
}

/** What facts are chosen by, beside a filter. */
interface Chosen {
  where: string;
  values: Readonly<Record<string, Value>>;
}

const ALL: Chosen = { where: '1', values: {} };

function newest(
  queries: Queries,
  chosen: Chosen,
  { limit, ...filter }: FactFilter & { limit: number },
): Row[] {
  const { where, values } = conditions(filter);
  return queries.all<Row>(
    `SELECT ${FACT_COLUMNS} FROM facts WHERE ${chosen.where} AND ${where} ORDER BY doc DESC LIMIT :limit`,
    { ...chosen.values, ...values, limit },
  );
}

function called(
  queries: Queries,
  names: readonly string[],
  filter: FactFilter & { limit: number },
): Row[] {
  const where = `doc IN (SELECT doc FROM fact_keys
                          WHERE key IN (SELECT value FROM json_each(:names)))`;
  return newest(queries, { where, values: { names: JSON.stringify(names) } }, filter);
}

/** @param text folded @returns what selects the facts that have all of its words */
function matching(text: string): Chosen {
  const words = text.split(' ');
  const long = words.filter((word) => [...word].length >= TRIGRAM).map(asMoney);
  const short = words.filter((word) => [...word].length < TRIGRAM);
  const where: string[] = [];
  const values: Record<string, Value> = {};
  if (long.length > 0) {
    where.push('doc IN (SELECT rowid FROM facts_text WHERE facts_text MATCH :long)');
    values.long = long.map(quoted).join(' AND ');
  }
  if (short.length > 0) {
    where.push('doc IN (SELECT rowid FROM facts_names WHERE facts_names MATCH :short)');
    values.short = short.map((word) => `${quoted(spaced(word))}*`).join(' AND ');
  }
  return { where: where.join(' AND '), values };
}

/** An amount with its decimals is one, and no part of a larger one: it begins a line of the text. */
function asMoney(word: string): string {
  return MONEY.test(word) ? `\n${word.replace(/[$€£¥,]/g, '')}` : word;
}

/** A phrase of FTS5, whatever is in it. */
function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}

function factOf({ doc: _, ...fact }: Row): Fact {
  return fact;
}
