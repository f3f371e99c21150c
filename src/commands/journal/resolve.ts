import { Flags } from '@oclif/core';
import { GwCommand } from '../../dispatch/command.ts';
import { Failure, usage } from '../../failure.ts';
import { idArg } from '../../flags/args.ts';
import {
  interactionFlags,
  printFlags,
  profileFlag,
  requestFlags,
} from '../../flags/global-flags.ts';
import { findEntry } from '../../journal/find-entry.ts';
import type { Ledger, LedgerEntry } from '../../journal/ledger.ts';
import { askGateway, type Finding } from '../../journal/resolve-entry.ts';
import { chosenAccount, Gateway } from '../../session/gateway-connection.ts';
import { openOwnLedger } from '../../session/own-ledger.ts';
import { printRecords } from '../../view/print-records.ts';
import { entryRecord } from '../../view/records/journal-record.ts';
import { ENTRY_VIEW } from '../../view/records/own-views.ts';

export default class JournalResolve extends GwCommand {
  static override summary = 'Find out, or say, what became of a request whose outcome is unknown';
  static override description =
    'Asks the gateway for the record by its id, or for a purchase by its reference where the gateway ' +
    'supports that, and says what it found and how sure that is. Where nothing certain follows, ask whoever ' +
    'runs the gateway and say it yourself with --as. What was not done is then sent again by its batch; what ' +
    'was done never is.';
  static override examples = [
    '<%= config.bin %> journal resolve ENTRY',
    '<%= config.bin %> journal resolve ENTRY --as not-done',
    '$ <%= config.bin %> journal list --unresolved -o id | xargs -n1 <%= config.bin %> journal resolve',
  ];
  static override args = idArg('Id of an entry, or enough of its beginning to tell it.');
  static override flags = {
    as: Flags.option({
      options: ['done', 'not-done'] as const,
      description: 'What you know became of it; the gateway is not asked.',
    })(),
    ...printFlags,
    ...profileFlag,
    ...requestFlags,
    ...interactionFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(JournalResolve);
    const ledger = await openOwnLedger(this.host);
    try {
      const entry = await findEntry(ledger, args.id);
      refuseSettled(entry);
      const finding =
        flags.as === undefined
          ? await this.ask(entry, ledger, flags)
          : { settlement: settled(flags.as), said: [] };
      for (const sentence of finding.said) await this.host.stderr.write(`${sentence}\n`);
      if (!finding.settlement) throw stillUnknown(entry);
      const how = flags.as === undefined ? 'the gateway was asked' : 'the user said so';
      if (!(await ledger.resolve(entry.id, finding.settlement, how)))
        throw usage(
          'The entry was resolved meanwhile.',
          `\`gw journal show ${entry.id}\` shows how.`,
        );
      const now = await findEntry(ledger, entry.id);
      await printRecords(this.host, flags, [entryRecord(now)], {
        kind: ENTRY_VIEW,
        isSingle: true,
      });
    } finally {
      await ledger.close();
    }
  }

  private async ask(
    entry: LedgerEntry,
    ledger: Ledger,
    flags: Parameters<typeof printRecords>[1] & { profile?: string | undefined },
  ): Promise<Finding> {
    const named = flags.profile ?? (entry.profile === 'environment' ? undefined : entry.profile);
    const account = await chosenAccount(this.context, named);
    const gateway = new Gateway(this.context, flags, account, 1);
    const { profile, host } = gateway.destination;
    if (host !== entry.host) {
      throw usage(
        `The request went to ${entry.host}, and the profile ${profile} is for ${host}.`,
        `Name a profile for ${entry.host} with --profile, or say what you know with --as.`,
      );
    }
    try {
      return await askGateway(
        entry,
        (operation, input) => gateway.call(operation, input),
        (recordId) => ledger.isMadeByAnother(recordId, entry.id),
      );
    } finally {
      await gateway.close();
    }
  }
}

function settled(as: 'done' | 'not-done') {
  return { state: as, status: null, recordId: null, message: null };
}

function refuseSettled({ id, state }: LedgerEntry): void {
  if (state === 'unknown') return;
  if (state === 'sending') {
    throw new Failure('guard', 'It is being sent just now by a gw that is still running.', {
      next: 'Wait for its answer, or end that program first.',
    });
  }
  throw usage(
    `Its outcome is known: ${state}.`,
    `\`gw journal show ${id}\` shows it; only what is unknown is resolved.`,
  );
}

function stillUnknown({ id, operation }: LedgerEntry): Failure {
  return new Failure('unknown', 'The outcome is still unknown.', {
    operation,
    id,
    next: `Ask whoever runs the gateway, with what \`gw journal show ${id}\` shows, then run \`gw journal resolve ${id} --as done\` or \`--as not-done\`.`,
  });
}
