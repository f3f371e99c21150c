/** `gw plan list` after argv is parsed. People count pages from 1, however the gateway does. */
import { plural, quantity } from '../../base/text.ts';
import type { CommandOptions } from '../../cli/flags/command-options.ts';
import { PlanWalk, pageOf } from '../../client/guards/plans.ts';
import { planList } from '../../contract/resources/plan.ts';
import { Failure } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { type Session, withSession } from '../../requests/session.ts';

const NO_PLANS = 'This account has no plans. `gw plan create` makes one.';

interface PlanListOptions extends Pick<CommandOptions, 'request' | 'output'> {
  /** Plans on a page; undefined for the gateway's default. */
  limit: number | undefined;
  /** The page, from 1; undefined for the first. */
  page: number | undefined;
  /** Every page. */
  isAll: boolean;
}

export async function runPlanList(context: Context, options: PlanListOptions): Promise<void> {
  const { request, output, limit, page, isAll } = options;
  const settings = { operation: planList, request, output, isSingle: false, ifNone: NO_PLANS };
  await withSession(context, settings, (session) =>
    isAll ? printAll(session, limit) : printPage(session, limit, page),
  );
}

/** @param page from 1, however the gateway numbers its pages */
async function printPage(
  session: Session,
  limit: number | undefined,
  page: number | undefined = 1,
): Promise<void> {
  const ask = askOf(session);
  const first = await pageOf(ask, limit, undefined);
  const from = first.envelope.counts.current_page === 0 ? 0 : 1;
  const reply = page === 1 ? first : await pageOf(ask, limit, page - 1 + from);
  await session.printReply(reply);
  const { counts } = reply.envelope;
  const { current_page: number } = counts;
  await session.endOutput(
    number === undefined ? counts : { ...counts, current_page: number + 1 - from },
  );
}

/** @throws Failure unless every plan was printed, each once */
async function printAll(session: Session, limit: number | undefined): Promise<void> {
  const walk = new PlanWalk(askOf(session), limit);
  try {
    for await (const page of walk.pages())
      if (page.records.length > 0) await session.printReply(page);
  } catch (error) {
    await endAll(session, walk);
    if (!(error instanceof Failure) || walk.count === 0) throw error;
    throw error.with({
      next: `The list above is incomplete. ${error.next}`,
      // Requests were sent for the pages above.
      sent: undefined,
    });
  }
  await endAll(session, walk);
}

async function endAll(session: Session, { total, again }: PlanWalk): Promise<void> {
  await session.endOutput(total === undefined ? {} : { total_records: total });
  if (again > 0) {
    await session.notice(
      `Note: ${quantity(again, 'record', 'records')} came twice and ${plural(again, 'is', 'are')} printed once. The list changed while gw was reading it.`,
    );
  }
}

const askOf = (session: Session): Parameters<typeof pageOf>[0] => {
  return (operation, input) => session.call(operation, input);
};
