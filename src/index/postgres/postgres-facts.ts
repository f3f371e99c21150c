/** The index on a PostgreSQL server. */
import type { RunStatement, Server } from '../../store/postgres/server.ts';
import type { Fact, FactKind } from '../document.ts';
import { FACT_KINDS } from '../document.ts';
import { fold } from '../normalise.ts';
import { calledOrPaid, factOf, firstOf, LAST_FOUR, peopleFirst } from '../rank.ts';
import type { FactScope } from '../scope.ts';
import {
  type FactFilter,
  type FactSearch,
  type FactSources,
  type Facts,
  MOST_COUNTED,
} from '../search-index.ts';
import type { FactTotal, TotalsQuery } from '../totals.ts';
import { keyOf } from '../words.ts';
import { pageOf } from './postgres-pages.ts';
import {
  type Asked,
  calledSo,
  type FoundRow,
  fitting,
  newestFitting,
  STEPS,
} from './postgres-search.ts';
import { chargesOf, sumsOf } from './postgres-totals.ts';

export class PostgresFacts implements Facts {
  readonly #run: RunStatement;
  readonly #asked: Asked;

  constructor(server: Pick<Server, 'runAgain'>, steps = STEPS) {
    // Where the connection is lost it is asked again.
    this.#run = (sql, values) => server.runAgain(sql, values);
    this.#asked = { run: this.#run, steps };
  }

  async search(search: FactSearch): Promise<Fact[]> {
    const text = fold(search.text ?? '');
    const { limit, ...filter } = search;
    if (text === '' && filter.reference !== undefined)
      return (await calledSo(this.#asked, [keyOf(filter.reference)], filter, limit)).map(factOf);
    if (text === '') return (await newestFitting(this.#asked, { text, filter, limit })).map(factOf);
    const called = await this.#exactly(text, filter, limit);
    const wanted = { text, filter, limit: limit + Math.ceil(limit / 2) + called.length };
    // Where what is called so fills the page, whatever else fits is not looked for.
    const isFull = called.length >= limit;
    const found = isFull ? { rows: [], people: undefined } : await fitting(this.#asked, wanted);
    const people = await this.#people(text, filter, { limit, people: found.people });
    return firstOf([...people, ...called, ...found.rows], limit).map(factOf);
  }

  async tied(
    names: readonly string[],
    { limit, ...filter }: FactFilter & { limit: number },
  ): Promise<Fact[]> {
    return (await calledSo(this.#asked, names.map(fold), filter, limit)).map(factOf);
  }

  async *each(filter: FactFilter): AsyncGenerator<Fact> {
    for (let after: string | undefined; ; ) {
      const page = await pageOf(this.#run, filter, after);
      for (const row of page.rows) yield factOf(row);
      if (page.last === undefined) return;
      after = page.last;
    }
  }

  async sources(): Promise<FactSources> {
    const counts = await this.#run<{ kind: FactKind; count: number }>(
      // In the order of the index of kinds, so that it is what is read.
      `SELECT kind, count
         FROM unnest($1::text[]) AS asked (kind)
        CROSS JOIN LATERAL (
          SELECT count(*) AS count
            FROM (SELECT 1 FROM gw.facts WHERE facts.kind >= asked.kind AND facts.kind <= asked.kind
                   ORDER BY facts.kind, facts.doc LIMIT ${MOST_COUNTED + 1}) AS some_facts) AS counted
        WHERE count > 0`,
      [FACT_KINDS],
    );
    const [ends] = await this.#run<Pick<FactSources, 'oldest' | 'newest'>>(
      `SELECT (SELECT at FROM gw.facts ORDER BY doc LIMIT 1) AS oldest,
              (SELECT at FROM gw.facts ORDER BY doc DESC LIMIT 1) AS newest`,
    );
    return {
      kinds: Object.fromEntries(counts.map(({ kind, count }) => [kind, count])),
      countedTo: MOST_COUNTED,
      oldest: ends?.oldest ?? null,
      newest: ends?.newest ?? null,
    };
  }

  totals(query: TotalsQuery): Promise<FactTotal[]> {
    return sumsOf(this.#run, query);
  }

  async accountOf({
    profile,
    environment,
  }: Pick<FactScope, 'profile' | 'environment'>): Promise<string | null> {
    const newest: FoundRow[] = [];
    for (const kind of FACT_KINDS.filter((one) => one !== 'event')) {
      const filter = { kinds: [kind], profile };
      const wanted = { text: '', filter, environment, limit: 1 };
      newest.push(...(await newestFitting(this.#asked, wanted)));
    }
    newest.sort((one, other) => (one.seenAt < other.seenAt ? 1 : -1));
    return newest[0]?.account ?? null;
  }

  newestCharges(scope: FactScope): Promise<Fact[]> {
    return chargesOf(this.#run, scope);
  }

  /** On a server nothing is left for later. */
  async due(): Promise<number> {
    return 0;
  }

  /** A server has an index from the beginning, and what is copied to it comes with its facts. */
  async isWhole(): Promise<boolean> {
    return true;
  }

  /** @param people that were found on the way, all that there are up to the limit */
  async #people(
    text: string,
    filter: FactFilter,
    { limit, people }: { limit: number; people: FoundRow[] | undefined },
  ): Promise<FoundRow[]> {
    if ((filter.kinds ?? []).length > 0) return [];
    const wanted = { text, filter: { ...filter, kinds: ['customer'] as const }, limit };
    const found = people ?? (await newestFitting(this.#asked, wanted));
    return peopleFirst(found.slice(0, limit), text, limit);
  }

  async #exactly(text: string, filter: FactFilter, limit: number): Promise<FoundRow[]> {
    const called = await calledSo(this.#asked, [text], filter, limit);
    if (called.length >= limit || !LAST_FOUR.test(text)) return called;
    const ofCard = { text: '', filter: { ...filter, lastFour: text }, limit, isRare: true };
    return calledOrPaid(called, await newestFitting(this.#asked, ofCard), limit);
  }
}
