/** What `gw plan list` does once argv is parsed. */
import type { Reply } from '../client/classify.ts';
import { planList } from '../contract/plan.ts';
import { Failure } from '../failure.ts';
import { parseInteger } from '../flags/parse-integer.ts';
import type { Context } from '../session/context.ts';
import type { Session } from '../session/session.ts';
import { type OperationFlags, withSession } from './run-operation.ts';

/** A gateway that reports more pages than this is not walked to its end. */
const MAX_PAGES = 10_000;

/** Prints one page of plans, or with `--all` every one. */
export async function runPlanList(context: Context, flags: OperationFlags): Promise<void> {
  const number = (name: string) => {
    const value = flags[name];
    return typeof value === 'string' ? parseInteger(name, value) : undefined;
  };
  await withSession(context, { operation: planList, flags, isSingle: false }, async (session) => {
    const limit = number('limit');
    if (flags.all === true) await printAll(session, limit);
    else await printPage(session, limit, number('page'));
  });
}

async function printPage(
  session: Session,
  limit: number | undefined,
  page: number | undefined,
): Promise<void> {
  const reply = await pageOf(session, limit, page);
  await session.printReply(reply);
  await session.endOutput(reply.envelope.counts);
}

async function printAll(session: Session, limit: number | undefined): Promise<void> {
  let last: Reply | undefined;
  for (let page = 1; page <= MAX_PAGES; page++) {
    const reply = await pageOf(session, limit, page);
    const { counts } = reply.envelope;
    if (counts.current_page !== undefined && counts.current_page !== page)
      throw notPaged(page, counts.current_page);
    if (reply.records.length === 0) break;
    await session.printReply(reply);
    last = reply;
    // Without a count of pages, the first empty page is the end.
    if (counts.pages !== undefined && page >= counts.pages) break;
  }
  await session.endOutput(
    last ? { total_records: last.envelope.counts.total_records ?? 0 } : undefined,
  );
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

function notPaged(asked: number, got: number): Failure {
  return new Failure(
    'rejected',
    `The gateway was asked for page ${asked} and answered with page ${got}.`,
    {
      code: 'not-paged',
      operation: planList.name,
      next: 'What is printed so far is not all. Use --limit with a larger number in place of --all.',
    },
  );
}
