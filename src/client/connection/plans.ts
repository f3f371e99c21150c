/**
 * The plans of a gateway: all of them, page by page, and one of them by its id or its reference.
 *
 * The interface shows no paging. Deployments number their pages from 1 or from 0, or do not say. The first page is the
 * one that comes without a number, and it says how the others are numbered.
 */
import type { JsonObject } from '../../base/json.ts';
import type { Operation } from '../../contract/operation.ts';
import { planGet, planList } from '../../contract/resources/plan.ts';
import { Failure } from '../../failure.ts';
import type { Reply } from '../exchange/classify.ts';
import type { CallInput } from '../exchange/wire-request.ts';

/** @throws Failure where the gateway does not answer with what it is asked for */
type Ask = (operation: Operation, input: CallInput) => Promise<Reply>;

/** A list of more pages than this is not read to its end. */
const MAX_PAGES = 1_000;

/**
 * The plan by its id, which many gateways take a reference for; else the one in the list that has the name.
 * @param name id or reference
 * @throws Failure of the look-up by id where the list does not have it either
 */
export async function findPlan(ask: Ask, name: string): Promise<JsonObject> {
  const byId = await ask(planGet, { id: name }).catch(unlessItMeetsAll);
  if (!(byId instanceof Failure)) return byId.records[0] ?? {};
  const listed = await inList(ask, name);
  if (!listed) throw byId;
  return listed;
}

async function inList(ask: Ask, name: string): Promise<JsonObject | undefined> {
  try {
    for await (const plan of listedPlans(ask))
      if (plan.id === name || plan.reference === name) return plan;
  } catch (error) {
    unlessItMeetsAll(error);
  }
  return undefined;
}

/**
 * Yields the plans of the gateway; where it does not page well, those that came.
 * @throws Failure where none came
 */
export async function* listedPlans(ask: Ask): AsyncGenerator<JsonObject> {
  const walk = new PlanWalk(ask);
  try {
    for await (const { records } of walk.pages()) yield* records;
  } catch (error) {
    if (walk.count === 0) throw error;
    unlessItMeetsAll(error);
  }
}

/** @returns whether every other request would fail in the same way */
export function meetsAll({ kind, code }: Failure): boolean {
  return kind === 'interrupted' || ['credentials-refused', 'not-reached'].includes(code);
}

/** @returns a failure of one look-up. @throws one that every other would meet, and what is none */
export function unlessItMeetsAll(error: unknown): Failure {
  if (!(error instanceof Failure) || meetsAll(error)) throw error;
  return error;
}

/** One walk over the list, and whether what came of it is all. */
export class PlanWalk {
  readonly #ask: Ask;
  readonly #limit: number | undefined;
  readonly #seen = new Set<string>();
  /** How many different pages came. */
  #pages = 0;
  /** The number of the page to ask for; undefined for the first. */
  #next: number | undefined;
  /** Records that there are, as the gateway said last. */
  total: number | undefined;
  /** Records that came once more beside new ones. */
  again = 0;

  /** @param limit records of a page */
  constructor(ask: Ask, limit?: number) {
    this.#ask = ask;
    this.#limit = limit;
  }

  /** Records that came. */
  get count(): number {
    return this.#seen.size;
  }

  /**
   * Yields the answers in their order, each with the records that were in none before.
   * @throws Failure incomplete or rejected unless all records that there are have come
   */
  async *pages(): AsyncGenerator<Reply> {
    for (let requests = 0; requests < MAX_PAGES; requests++) {
      const reply = await pageOf(this.#ask, this.#limit, this.#next);
      const fresh = this.#take(reply);
      yield { ...reply, records: fresh };
      if (this.#isOver(reply, fresh.length)) return;
    }
    throw notWhole(
      'too-many-pages',
      `The gateway has more than ${MAX_PAGES} pages.`,
      'Use --limit with a larger number.',
    );
  }

  /**
   * @returns the records of the page that was asked for which were on none before
   * @throws Failure rejected when it is another page
   */
  #take({ envelope: { counts }, records }: Reply): JsonObject[] {
    const { current_page: number } = counts;
    const asked = this.#next;
    if (number !== undefined && !(asked === undefined ? [0, 1] : [asked]).includes(number)) {
      const wanted = asked === undefined ? 'the first page' : `page ${asked}`;
      throw notPaged(`gw asked for ${wanted}, but the gateway answered with page ${number}.`);
    }
    const fresh = records.filter((record) => {
      const key = typeof record.id === 'string' ? record.id : JSON.stringify(record);
      const isNew = !this.#seen.has(key);
      this.#seen.add(key);
      return isNew;
    });
    if (fresh.length > 0) this.again += records.length - fresh.length;
    // An empty page behind the last one counts nothing.
    if (records.length > 0 || asked === undefined) this.total = atLeast(0, counts.total_records);
    if (asked === undefined) this.#next = number === 1 ? 2 : 1;
    else this.#next = asked + 1;
    if (!this.#isFirstAgain(fresh.length)) this.#pages++;
    return fresh;
  }

  /**
   * @param fresh records of the page that are new
   * @returns false when there may be more
   * @throws Failure incomplete when the end does not have what the gateway says there is, rejected
   *   when a page repeats those before it
   */
  #isOver({ envelope: { counts }, records }: Reply, fresh: number): boolean {
    if (records.length > 0 && this.#isFirstAgain(fresh)) return false;
    const page = this.#pages;
    const pages = atLeast(1, counts.pages);
    // There are more than it says where one was removed meanwhile.
    const hasAll = this.total !== undefined && this.count >= this.total;
    // A total that is reached before the last page may be that of a page: the next one shows it.
    if (hasAll && (pages === undefined || page >= pages || fresh === 0)) return true;
    if (fresh === 0 && records.length > 0)
      throw notPaged(`Page ${page} only repeats what earlier pages had.`);
    // Without a count of pages, the first empty page is the end.
    const isLast = records.length === 0 || (pages !== undefined && page >= pages);
    if (isLast && this.total !== undefined && this.count < this.total)
      throw notWhole(
        'list-not-whole',
        `The gateway reports ${this.total} records, but its pages contain ${this.count}.`,
        'The list may have changed while gw was reading it. Run the command again.',
      );
    return isLast;
  }

  /** Where the first page has no number, or 0, the one with number 1 may be the first again. */
  #isFirstAgain(fresh: number): boolean {
    return fresh === 0 && this.#pages === 1 && this.#next === 2;
  }
}

/** @returns a count that can be one */
function atLeast(least: number, count: number | undefined): number | undefined {
  return Number.isSafeInteger(count) && Number(count) >= least ? count : undefined;
}

/**
 * @param limit records of a page
 * @param page its number as the gateway counts; undefined for the first
 * @throws Failure as the gateway's answer to it is classified
 */
export function pageOf(
  ask: Ask,
  limit: number | undefined,
  page: number | undefined,
): Promise<Reply> {
  const query: Record<string, string> = {};
  if (limit !== undefined) query.limit = String(limit);
  // The gateway's `offset` is a page number.
  if (page !== undefined) query.offset = String(page);
  return ask(planList, { query });
}

function notPaged(message: string): Failure {
  return new Failure('rejected', message, {
    code: 'not-paged',
    operation: planList.name,
    next: 'Use --limit with a larger number instead of --all.',
  });
}

function notWhole(code: string, message: string, next: string): Failure {
  return new Failure('incomplete', message, { code, operation: planList.name, next });
}
