/** Finds out, or takes down, what became of a money request whose outcome is unknown. */
import { Failure, usage } from '../failure.ts';
import { requestOptions } from '../flags/request-options.ts';
import { findEntry } from '../journal/find-entry.ts';
import type { Destination, Ledger, LedgerEntry } from '../journal/ledger.ts';
import { askGateway, type Finding } from '../journal/resolve-entry.ts';
import type { Context } from '../session/context.ts';
import { chosenAccount, GatewayConnection } from '../session/gateway-connection.ts';
import { openOwnLedger } from '../session/own-ledger.ts';
import { printRecords } from '../view/print-records.ts';
import { ENTRY_VIEW } from '../view/records/journal-entry.ts';
import type { SessionFlags } from './run-operation.ts';

interface ResolveFlags extends SessionFlags {
  as?: 'done' | 'not-done' | undefined;
}

/**
 * @param id of an entry, or enough of its beginning to tell it
 * @throws Failure unknown when nothing certain follows
 */
export async function resolveUnknown(
  context: Context,
  id: string,
  flags: ResolveFlags,
): Promise<void> {
  const ledger = await openOwnLedger(context.host);
  try {
    const entry = await findEntry(ledger, id);
    refuseSettled(entry);
    const finding =
      flags.as === undefined
        ? await ask(context, entry, ledger, flags)
        : { settlement: settled(flags.as), said: [] };
    for (const sentence of finding.said) await context.host.stderr.write(`${sentence}\n`);
    if (!finding.settlement) throw stillUnknown(entry);
    const how = flags.as === undefined ? 'the gateway was asked' : 'the user said so';
    if (!(await ledger.resolve(entry.id, finding.settlement, how)))
      throw usage(
        'entry-resolved-meanwhile',
        'The entry was resolved meanwhile.',
        `\`gw journal show ${entry.id}\` shows how.`,
      );
    const now = await findEntry(ledger, entry.id);
    await printRecords(context.host, flags, [ENTRY_VIEW.record(now)], {
      kind: ENTRY_VIEW,
      isSingle: true,
    });
  } finally {
    await ledger.close();
  }
}

async function ask(
  context: Context,
  entry: LedgerEntry,
  ledger: Ledger,
  flags: ResolveFlags,
): Promise<Finding> {
  const named = flags.profile ?? (entry.profile === 'environment' ? undefined : entry.profile);
  const account = await chosenAccount(context, named);
  const gateway = new GatewayConnection(context, account, requestOptions(context.host, flags));
  refuseAnother(entry, await gateway.destination());
  try {
    return await askGateway(entry, {
      call: (operation, input) => gateway.call(operation, input),
      isTaken: (recordId) => ledger.isMadeByAnother(recordId, entry.id),
    });
  } finally {
    await gateway.close();
  }
}

/** @throws Failure usage when the gateway that would be asked knows nothing of the request */
function refuseAnother(entry: LedgerEntry, { account, profile, host }: Destination): void {
  const say = 'or say what you know with --as.';
  if (entry.account === null || account === null) {
    if (host === entry.host) return;
    throw usage(
      'entry-of-another-gateway',
      `The request went to ${entry.host}, and the profile ${profile} is for ${host}.`,
      `Name a profile for ${entry.host} with --profile, ${say}`,
    );
  }
  if (account === entry.account) return;
  throw usage(
    'entry-of-another-account',
    `The request was sent to ${entry.host} for another account than that of the profile ${profile}.`,
    `Name a profile for that account with --profile (\`gw whoami\` shows the account of a profile, \`gw journal show\` that of a request), ${say}`,
  );
}

function settled(as: 'done' | 'not-done') {
  return { state: as, status: null, recordId: null, message: null };
}

function refuseSettled({ id, state }: LedgerEntry): void {
  if (state === 'unknown') return;
  if (state === 'sending') {
    throw new Failure('guard', 'It is being sent just now by a gw that is still running.', {
      code: 'request-in-flight',
      next: 'Wait for its answer, or end that program first.',
    });
  }
  throw usage(
    'entry-settled',
    `Its outcome is known: ${state}.`,
    `\`gw journal show ${id}\` shows it; only what is unknown is resolved.`,
  );
}

function stillUnknown({ id, operation }: LedgerEntry): Failure {
  return new Failure('unknown', 'The outcome is still unknown.', {
    code: 'outcome-still-unknown',
    operation,
    id,
    next: `Ask whoever runs the gateway, with what \`gw journal show ${id}\` shows, then run \`gw journal resolve ${id} --as done\` or \`--as not-done\`.`,
  });
}
