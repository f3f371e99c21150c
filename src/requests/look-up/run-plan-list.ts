/**
 * What `gw plan list` does once argv is parsed.
 *
 * The interface shows no paging. Deployments number their pages from 1 or from 0, or do not say; people
 * count from 1. The first page is the one that comes without a number, and it says how the others are
 * numbered.
 */
import type { JsonObject } from '../../base/json.ts';
import { plural } from '../../base/plural.ts';
import { parseInteger } from '../../cli/flags/parse-integer.ts';
import type { Session } from '../../client/connection/session.ts';
import type { Reply } from '../../client/exchange/classify.ts';
import { planList } from '../../contract/resources/plan.ts';
import { Failure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { type OperationFlags, openSession } from '../open-session.ts';

/** A list of more pages than this is not read to its end. */
const MAX_PAGES = 1_000;

const NO_PLANS = 'This account has no plans. `gw plan create` makes one.';

/** Prints one page of plans, or with `--all` every one. */
export async function runPlanList(context: Context, flags: OperationFlags): Promise<void> {
  const number = (name: string) => {
    const value = flags[name];
    return typeof value === 'string' ? parseInteger(name, value) : undefined;
  };
  const shape = { operation: planList, flags, isSingle: false, ifNone: NO_PLANS };
  const session = await openSession(context, shape);
  try {
    const limit = number('limit');
    if (flags.all === true) await printAll(session, limit);
    else await printPage(session, limit, number('page'));
  } catch (error) {
    throw await session.printAnswerTo(error);
  } finally {
    await session.close();
  }
}

/** @param page from 1, however the gateway numbers its pages */
async function printPage(
  session: Session,
  limit: number | undefined,
  page: number | undefined = 1,
): Promise<void> {
  const first = await pageOf(session, limit, undefined);
  const from = first.envelope.counts.current_page === 0 ? 0 : 1;
  const reply = page === 1 ? first : await pageOf(session, limit, page - 1 + from);
  await session.printReply(reply);
  const { counts } = reply.envelope;
  const { current_page: number } = counts;
  await session.endOutput(
    number === undefined ? counts : { ...counts, current_page: number + 1 - from },
  );
}

/** @throws Failure unless all that there are have been printed, each of them once */
async function printAll(session: Session, limit: number | undefined): Promise<void> {
  const walk = new Walk();
  try {
    await printPages(session, limit, walk);
  } catch (error) {
    await endAll(session, walk);
    if (!(error instanceof Failure) || walk.count === 0) throw error;
    throw error.with({
      next: `The list above is incomplete. ${error.next}`,
      // The pages above were asked for.
      sent: undefined,
    });
  }
  await endAll(session, walk);
}

async function printPages(session: Session, limit: number | undefined, walk: Walk): Promise<void> {
  for (let requests = 0; requests < MAX_PAGES; requests++) {
    const reply = await pageOf(session, limit, walk.next);
    const fresh = walk.take(reply);
    if (fresh.length > 0) await session.printReply({ ...reply, records: fresh });
    if (walk.isOver(reply, fresh.length)) return;
  }
  throw notWhole(
    'too-many-pages',
    `The gateway has more than ${MAX_PAGES} pages.`,
    'Use --limit with a larger number.',
  );
}

async function endAll(session: Session, { total, again }: Walk): Promise<void> {
  await session.endOutput(total === undefined ? {} : { total_records: total });
  if (again > 0) {
    await session.notice(
      `Note: ${again} ${plural(again, 'record', 'records')} came twice and ${plural(again, 'is', 'are')} printed once; the list changed while gw was reading it.`,
    );
  }
}

/** What came of a list that is read page by page, and whether it is all of it. */
class Walk {
  readonly #seen = new Set<string>();
  /** How many different pages came. */
  #pages = 0;
  /** The number of the page to ask for; undefined for the first. */
  next: number | undefined;
  /** Records that there are, as the gateway said last. */
  total: number | undefined;
  /** Records that came once more beside new ones. */
  again = 0;

  /** Records that came. */
  get count(): number {
    return this.#seen.size;
  }

  /**
   * @returns the records of the page that was asked for which were on none before
   * @throws Failure rejected when it is another page
   */
  take({ envelope: { counts }, records }: Reply): JsonObject[] {
    const { current_page: number } = counts;
    const { next: asked } = this;
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
    if (asked === undefined) this.next = number === 1 ? 2 : 1;
    else this.next = asked + 1;
    if (!this.#isFirstAgain(fresh.length)) this.#pages++;
    return fresh;
  }

  /**
   * @param fresh records of the page that are new
   * @returns false when there may be more
   * @throws Failure incomplete when the end does not have what the gateway says there is, rejected
   *   when a page repeats those before it
   */
  isOver({ envelope: { counts }, records }: Reply, fresh: number): boolean {
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
    return fresh === 0 && this.#pages === 1 && this.next === 2;
  }
}

/** @returns a count that can be one */
function atLeast(least: number, count: number | undefined): number | undefined {
  return Number.isSafeInteger(count) && Number(count) >= least ? count : undefined;
}

function pageOf(
  session: Session,
  limit: number | undefined,
  page: number | undefined,
): Promise<Reply> {
  const query: Record<string, string> = {};
  if (limit !== undefined) query.limit = String(limit);
  // The gateway's `offset` is a page number.
  if (page !== undefined) query.offset = String(page);
  return session.call(planList, { query });
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
