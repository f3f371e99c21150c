import { Flags } from '@oclif/core';
import { parseInteger } from '../../cli/flag-values.ts';
import { OperationCommand } from '../../cli/operation-command.ts';
import { operationFlags } from '../../cli/operation-flags.ts';
import { type OperationFlags, withSession } from '../../cli/run-operation.ts';
import type { Session } from '../../cli/session.ts';
import type { Reply } from '../../client/classify.ts';
import { planList } from '../../contract/operations.ts';
import { Failure } from '../../failure.ts';

/** A gateway that reports more pages than this is not walked to its end. */
const MAX_PAGES = 10_000;

export default class PlanList extends OperationCommand {
  static override summary = planList.summary;
  static override description =
    'The gateway answers with one page of plans and the counts of all, which are shown on stderr. ' +
    'The recurring area is deprecated in the gateway and works as documented.';
  static override examples = [
    '<%= config.bin %> plan list --profile local',
    '<%= config.bin %> plan list --profile local --limit 50 --page 1 -o csv',
    '<%= config.bin %> plan list --profile local --all -o jsonl | jq -r .reference',
  ];
  static override flags = {
    limit: Flags.string({
      description: 'Plans per page.',
      helpValue: '<integer>',
      helpGroup: 'PAGE',
    }),
    page: Flags.string({
      description: 'Page to show, from 1.',
      helpValue: '<integer>',
      helpGroup: 'PAGE',
      exclusive: ['all'],
    }),
    all: Flags.boolean({ description: 'Show every page, one request each.', helpGroup: 'PAGE' }),
    ...operationFlags(planList),
  };
  readonly operation = planList;

  async run(): Promise<void> {
    const { flags } = await this.input();
    await withSession(
      this.context,
      this.operation,
      flags,
      { isSingle: false, inFlight: 1 },
      (session) =>
        flags.all === true ? this.printAll(session, flags) : this.printPage(session, flags),
    );
  }

  private async printPage(session: Session, flags: OperationFlags): Promise<void> {
    const reply = await this.page(session, flags, numberOf(flags, 'page'));
    await session.printReply(reply);
    await session.endOutput(reply.envelope.counts);
  }

  private async printAll(session: Session, flags: OperationFlags): Promise<void> {
    let last: Reply | undefined;
    for (let page = 1; page <= MAX_PAGES; page++) {
      const reply = await this.page(session, flags, page);
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

  private page(session: Session, flags: OperationFlags, page: number | undefined): Promise<Reply> {
    const limit = numberOf(flags, 'limit');
    const query: Record<string, string> = {};
    if (limit !== undefined) query.limit = String(limit);
    // The gateway's `offset` is a page number.
    if (page !== undefined) query.offset = String(page);
    return session.call(this.operation, { query });
  }
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
