/** `gw ledger init`: makes a ledger on a server, with its roles, and says what it did. */
import { randomUUID } from 'node:crypto';
import { instantText } from '../../base/instant.ts';
import { marksAt, openServer } from '../../client/ledger/open-on-server.ts';
import type { Context } from '../../host/context.ts';
import { findGap, type Gap } from '../../journal/postgres/restored.ts';
import { acceptRestore, makeLedger, requireJournal } from '../../store/ledger/init.ts';
import { LEDGER_FORM } from '../../store/ledger/postgres-schema.ts';
import { makeOperator, makeRoles } from '../../store/ledger/roles.ts';
import { labelOfAddress } from '../../store/postgres/address.ts';
import type { Server } from '../../store/postgres/server.ts';
import { namedLedger, onServer } from './named-ledger.ts';

export interface InitOptions {
  /** As `namedLedger` takes it. */
  ledger: string | undefined;
  profile: string | undefined;
  /** Roles that become operators. */
  operators: readonly string[];
  /** Whether --no-journal is forbidden from now on; undefined leaves it as it is. */
  requiresJournal: boolean | undefined;
  /** Whether the server that is there is taken for the ledger's. */
  acceptsRestore: boolean;
}

const RESTORED = `Before you send any of them again, compare with the gateway: \`gw reconcile\` compares
a report of the gateway, and \`gw journal list --unresolved\` shows what is open. Do not run a batch again as a
whole: send only the lines that its results do not show as done. All machines can send again from now on.`;

/** @throws Failure when the ledger cannot be made, or another version of gw made it */
export async function initLedger({ host }: Context, options: InitOptions): Promise<void> {
  const place = onServer(await namedLedger(host, options.ledger, options.profile));
  const server = openServer(host, place);
  const label = labelOfAddress(place.address);
  const say = (line: string) => host.stderr.write(`${line}\n`);
  try {
    await say(await makeTables(server, label));
    for (const line of await roles(server)) await say(line);
    for (const operator of options.operators) {
      await makeOperator(server, operator);
      await say(`${operator} is now an operator.`);
    }
    if (options.acceptsRestore) {
      const marks = marksAt(host, place)?.all() ?? [];
      const gap = await server.transaction((run) => findGap(run, marks));
      await acceptRestore(server);
      await say(`${gapText(gap)}\n${RESTORED}`);
    }
    const { requiresJournal } = options;
    if (requiresJournal !== undefined) {
      await requireJournal(server, requiresJournal);
      await say(
        `Requests that move money ${requiresJournal ? 'cannot' : 'can'} be sent with --no-journal.`,
      );
    }
  } finally {
    await server.close();
  }
}

function gapText({ since, until }: Gap): string {
  if (since === null)
    return 'The ledger has no entry from before the restore: all of them are missing.';
  const from = `since ${instantText(since)}, when the newest one before the restore was written`;
  if (until === undefined) return `Entries ${from}, may be missing.`;
  return `Entries are missing ${from}. This machine has seen one of ${instantText(until)}.`;
}

async function makeTables(server: Server, label: string): Promise<string> {
  return (await makeLedger(server, randomUUID().replaceAll('-', '')))
    ? `Created the ledger at ${label} (format ${LEDGER_FORM}).`
    : `The ledger at ${label} is there already (format ${LEDGER_FORM}).`;
}

async function roles(server: Server): Promise<string[]> {
  const { roles, made, missing, isOwner, notHandedOver } = await makeRoles(server);
  if (missing.length > 0)
    return [
      `The roles ${missing.join(' and ')} do not exist, and your role may not create them. Until they exist, only you can use the ledger.`,
      'Ask whoever runs the server to run the output of `gw ledger init --print-sql --roles-only` in its database.',
    ];
  if (!isOwner) return ['Others own it, so its roles and their rights are unchanged.'];
  const said =
    made.length > 0
      ? `Created the roles ${made.join(' and ')}.`
      : `The roles ${roles.operator} and ${roles.owner} have their rights.`;
  return [
    `${said} To let somebody use the ledger, grant one: \`GRANT ${roles.operator} TO ada\`, or \`gw ledger init --operator ada\`.`,
    ...(notHandedOver === undefined
      ? []
      : [
          `You still own its tables, which matters only if somebody else is to update them. ${notHandedOver}`,
        ]),
  ];
}
