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
  const shape = { isSingle: false, inFlight: 1 };
  await withSession(context, planList, flags, shape, (session) =>
    flags.all === true ? printAll(session, flags) : printPage(session, flags),
  );
}

async function printPage(session: Session, flags: OperationFlags): Promise<void> {
  const reply = await pageOf(session, flags, numberOf(flags, 'page'));
  await session.printReply(reply);
  await session.endOutput(reply.envelope.counts);
}

async function printAll(session: Session, flags: OperationFlags): Promise<void> {
  let last: Reply | undefined;
  for (let page = 1; page <= MAX_PAGES; page++) {
    const reply = await pageOf(session, flags, page);
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

function pageOf(session: Session, flags: OperationFlags, page: number | undefined): Promise<Reply> {
  const limit = numberOf(flags, 'limit');
  const query: Record<string, string> = {};
  if (limit !== undefined) query.limit = String(limit);
  // The gateway's `offset` is a page number.
  if (page !== undefined) query.offset = String(page);
  return session.call(planList, { query });
}

function numberOf(flags: OperationFlags, name: string): number | undefined {
  const value = flags[name];
  return typeof value === 'string' ? parseInteger(name, value) : undefined;
}

function notPaged(asked: number, got: number): Failure {
  return new Failure(
    'rejected',
    `The gateway was asked for page ${asked} and answered with page ${got}.`,
    {
      operation: planList.name,
      next: 'What is printed so far is not all. Use --limit with a larger number in place of --all.',
    },
  );
}
