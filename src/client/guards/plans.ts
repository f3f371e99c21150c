/**
 * Reads the plans of a gateway: all of them, page by page, or one by its id or reference.
 *
 * The interface does not document paging. Deployments number their pages from 1 or from 0, or do not say. gw asks for
 * the first page without a number, and its answer shows how the others are numbered.
 *
 * Tests: test/unit/client/guards/charges.test.ts, test/unit/commands/plan/run-plan-list.test.ts
 */

import type { JsonObject } from '../../base/json.ts';
import { textOrNull } from '../../base/text.ts';
import { currencyCode } from '../../contract/currency.ts';
import type { Operation } from '../../contract/operation.ts';
import { planGet, planList } from '../../contract/resources/plan.ts';
import { Failure } from '../../failure.ts';
import type { CodeOf } from '../../failure-codes.ts';
import type { Reply } from '../exchange/classify.ts';
import type { CallInput } from '../exchange/wire-request.ts';

/** @throws Failure if the gateway does not answer as asked */
type Ask = (operation: Operation, input: CallInput) => Promise<Reply>;

/** A longer list is not read to its end. */
const MAX_PAGES = 1_000;

/**
 * Finds a plan by its id. Many gateways also accept a reference there. If not, searches the list for the name.
 * @param name id or reference
 * @throws Failure of the look-up by id, if the list does not have the plan either
 */
export async function findPlan(ask: Ask, name: string): Promise<JsonObject> {
  const byId = await ask(planGet, { id: name }).catch(unlessItMeetsAll);
  if (!(byId instanceof Failure)) return byId.records[0] ?? {};
  const listed = await inList(ask, name);
  if (!listed) throw byId;
  return listed;
}

/**
 * @param plans of one account, whose currency all of them have
 * @param name id or reference of the plan that is meant, if it is there
 * @returns ISO 4217 code; undefined if none of them says
 */
export function currencyOfPlans(plans: readonly JsonObject[], name = ''): string | undefined {
  const shown = plans.filter(({ currency }) => textOrNull(currency) !== null);
  const own = shown.find(({ id, reference }) => [id, reference].includes(name));
  const [any] = shown;
  return any && currencyCode(String((own ?? any).currency));
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
 * Yields the gateway's plans. If paging fails, yields those that arrived.
 * @throws Failure if none arrived
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

/** @returns the failure of one look-up. @throws a failure that every other request would meet, and other errors */
export function unlessItMeetsAll(error: unknown): Failure {
  if (!(error instanceof Failure) || meetsAll(error)) throw error;
  return error;
}

/** One pass over the list. It also knows whether the list is complete. */
export class PlanWalk {
  readonly #ask: Ask;
  readonly #limit: number | undefined;
  readonly #seen = new Set<string>();
  /** Number of different pages received. */
  #pages = 0;
  /** Number of the page to request; undefined for the first. */
  #next: number | undefined;
  /** Number of records, according to the gateway's last answer. */
  total: number | undefined;
  /** Number of records repeated beside new ones. */
  again = 0;

  /** @param limit records per page */
  constructor(ask: Ask, limit?: number) {
    this.#ask = ask;
    this.#limit = limit;
  }

  /** Number of records received. */
  get count(): number {
    return this.#seen.size;
  }

  /**
   * Yields the answers in order, each with only its new records.
   * @throws Failure incomplete or rejected unless all records arrived
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
   * @returns the new records of the requested page
   * @throws Failure rejected if the gateway answered with another page
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
    // An empty page after the last one reports no total.
    if (records.length > 0 || asked === undefined) this.total = atLeast(0, counts.total_records);
    if (asked === undefined) this.#next = number === 1 ? 2 : 1;
    else this.#next = asked + 1;
    if (!this.#isFirstAgain(fresh.length)) this.#pages++;
    return fresh;
  }

  /**
   * @param fresh number of new records on the page
   * @returns false if there may be more
   * @throws Failure incomplete if the list ends before the gateway's total; rejected if a page repeats earlier ones
   */
  #isOver({ envelope: { counts }, records }: Reply, fresh: number): boolean {
    if (records.length > 0 && this.#isFirstAgain(fresh)) return false;
    const page = this.#pages;
    const pages = atLeast(1, counts.pages);
    // More records than the total can arrive, if one was removed meanwhile.
    const hasAll = this.total !== undefined && this.count >= this.total;
    // A total reached before the last page may be that of one page. The next page shows it.
    if (hasAll && (pages === undefined || page >= pages || fresh === 0)) return true;
    if (fresh === 0 && records.length > 0)
      throw notPaged(`Page ${page} only repeats earlier pages.`);
    // Without a page count, the first empty page is the end.
    const isLast = records.length === 0 || (pages !== undefined && page >= pages);
    if (isLast && this.total !== undefined && this.count < this.total)
      throw notWhole(
        'list-not-whole',
        `The gateway reports ${this.total} records, but its pages contain ${this.count}.`,
        'The list may have changed while gw was reading it. Run the command again.',
      );
    return isLast;
  }

  /** If the first page has no number, or 0, page 1 may be the first page again. */
  #isFirstAgain(fresh: number): boolean {
    return fresh === 0 && this.#pages === 1 && this.#next === 2;
  }
}

/** @returns the count, if it is an integer of at least `least` */
function atLeast(least: number, count: number | undefined): number | undefined {
  return Number.isSafeInteger(count) && Number(count) >= least ? count : undefined;
}

/**
 * @param limit records per page
 * @param page page number as the gateway counts; undefined for the first
 * @throws Failure that classifies the gateway's answer
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
  return new Failure('not-paged', message, 'Use --limit with a larger number instead of --all.', {
    operation: planList.name,
  });
}

function notWhole(code: CodeOf<'incomplete'>, message: string, next: string): Failure {
  return new Failure(code, message, next, { operation: planList.name });
}
