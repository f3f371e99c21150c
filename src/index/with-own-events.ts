/**
 * The index of a team: records and requests in the ledger on its server, and the events that this machine received, in
 * its own file. Both are searched, and their results are merged by time.
 */
import type { Document } from './document.ts';
import { fold, isSameName } from './normalise.ts';
import type { SearchScope } from './scope.ts';
import type { IndexSources, SearchFilter, SearchIndex, SearchQuery } from './search-index.ts';
import type { DocumentTotal, TotalsQuery } from './totals.ts';

type Limited = SearchFilter & { limit: number };

export class WithOwnEvents implements SearchIndex {
  readonly #team: SearchIndex;
  readonly #own: SearchIndex;

  /** @param own the index of the file, which is only asked for events */
  constructor(team: SearchIndex, own: SearchIndex) {
    this.#team = team;
    this.#own = own;
  }

  async search(search: SearchQuery): Promise<Document[]> {
    const theirs = await this.#team.search(search);
    const ours = mayBeEvents(search) ? await this.#own.search(eventsOf(search)) : [];
    const isNamed = nameTeller(search);
    // The same order as in the search of one ledger: people, then exact names, then the rest.
    const rankOf = (document: Document) => {
      if (isNamed === undefined) return 2;
      if (document.kind === 'customer' && (search.kinds ?? []).length === 0) return 0;
      return isNamed(document) ? 1 : 2;
    };
    return [...theirs, ...ours]
      .toSorted((one, other) => rankOf(one) - rankOf(other) || newestFirst(one, other))
      .slice(0, search.limit);
  }

  async tied(names: readonly string[], filter: Limited): Promise<Document[]> {
    const theirs = await this.#team.tied(names, filter);
    const ours = mayBeEvents(filter) ? await this.#own.tied(names, eventsOf(filter)) : [];
    return [...theirs, ...ours].toSorted(newestFirst).slice(0, filter.limit);
  }

  /** Only records and requests: nothing reads events one by one. */
  each(filter: SearchFilter): AsyncIterable<Document> {
    return this.#team.each(filter);
  }

  async sources(): Promise<IndexSources> {
    const { kinds, oldest, newest, ...rest } = await this.#team.sources();
    const { event } = (await this.#own.sources()).kinds;
    if (event === undefined) return { kinds, oldest, newest, ...rest };
    const [last] = await this.#own.search({ kinds: ['event'], limit: 1 });
    const first = await firstOf(this.#own.each({ kinds: ['event'] }));
    const times = [oldest, newest, first?.at, last?.at].flatMap((at) => at ?? []);
    times.sort((one, other) => Date.parse(one) - Date.parse(other));
    return {
      ...rest,
      kinds: { ...kinds, event },
      oldest: times[0] ?? null,
      newest: times.at(-1) ?? null,
    };
  }

  async totals(query: TotalsQuery): Promise<DocumentTotal[]> {
    const purchases = await this.#own.purchasesOfEvents(query);
    const eventsBeside = await this.#team.countedOf(purchases, query.scope);
    return [
      ...(await this.#team.totals(query)),
      ...(await this.#own.totals({ ...query, eventsBeside })),
    ];
  }

  purchasesOfEvents(period: Pick<TotalsQuery, 'from' | 'until'>): Promise<string[]> {
    return this.#own.purchasesOfEvents(period);
  }

  countedOf(purchases: readonly string[], scope: SearchScope): Promise<string[]> {
    return this.#team.countedOf(purchases, scope);
  }

  newestCharges(scope: SearchScope): Promise<Document[]> {
    return this.#own.newestCharges(scope);
  }

  due(): Promise<number> {
    return this.#team.due();
  }
}

function mayBeEvents({ kinds = [] }: SearchFilter): boolean {
  return kinds.length === 0 || kinds.includes('event');
}

function eventsOf<Filter extends SearchFilter>(filter: Filter): Filter {
  return { ...filter, kinds: ['event'] };
}

/** @returns a test of whether a document has exactly the name searched for; undefined if the search has no words */
function nameTeller({ text = '' }: SearchQuery): ((document: Document) => boolean) | undefined {
  const asked = fold(text);
  if (asked === '') return undefined;
  return ({ id, reference, who, email, lastFour, ...links }) =>
    (who !== null && isSameName(who, text)) ||
    [id, reference, email, lastFour, links.purchase, links.customer, links.subscription].some(
      (name) => name !== null && fold(name) === asked,
    );
}

function newestFirst(one: Document, other: Document): number {
  return Date.parse(other.at) - Date.parse(one.at);
}

async function firstOf<Item>(items: AsyncIterable<Item>): Promise<Item | undefined> {
  for await (const item of items) return item;
  return undefined;
}
