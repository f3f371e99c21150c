/** `gw ledger init`: creates a ledger on a server with the role of its operators, and reports what it did. */
import { join } from 'node:path';
import { instantText } from '../../base/text.ts';
import { marksAt, openServer } from '../../client/ledger/open-on-server.ts';
import { invariant } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { findGap, type Gap } from '../../journal/postgres/restored.ts';
import {
  acceptRestore,
  makeLedger,
  makeOperator,
  requireJournal,
} from '../../store/ledger/init.ts';
import { LEDGER_FORM } from '../../store/ledger/postgres-schema.ts';
import { labelOfAddress } from '../../store/postgres/address.ts';
import { namedLedger, onServer } from './named-ledger.ts';
import { takeAlong } from './take-along.ts';

export interface InitOptions {
  /** The ledger, as `namedLedger` takes it. */
  ledger: string | undefined;
  profile: string | undefined;
  /** A ledger in a file whose content is copied: a path, or `file`. */
  from: string | undefined;
  /** Roles that become operators. */
  operators: readonly string[];
  /** Whether to forbid --no-journal from now on; undefined changes nothing. */
  requiresJournal: boolean | undefined;
  /** Whether to accept the present server as the ledger's own. */
  acceptsRestore: boolean;
}

const RESTORED = `Before you send any of them again, compare with the gateway. \`gw reconcile\` compares
a report of the gateway, and \`gw journal list --unresolved\` shows what is open. Do not run a whole batch again.
Send only the lines that its results do not show as done. All machines can send again from now on.`;

/** @throws Failure if the ledger cannot be created, or another version of gw created it */
export async function initLedger(context: Context, options: InitOptions): Promise<void> {
  const { host } = context;
  const place = onServer(await namedLedger(host, options.ledger, options.profile));
  const server = openServer(host, place);
  const label = labelOfAddress(place.address);
  const say = (line: string) => host.stderr.write(`${line}\n`);
  try {
    const isNew = await makeLedger(server, schemaSql(context));
    const form = `(format ${LEDGER_FORM})`;
    await say(
      isNew
        ? `Created the ledger at ${label} ${form}.${options.operators.length > 0 ? '' : HINT}`
        : `The ledger at ${label} is there already ${form}.`,
    );
    if (options.from !== undefined)
      for (const line of await takeAlong(host, server, { named: options.from, label }))
        await say(line);
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

const HINT = ' To let ada use it: `gw ledger init --operator ada`.';
const MAX_SCHEMA_BYTES = 1024 * 1024;

/** @returns the text of `schema.sql`, which is part of gw */
export function schemaSql({ host, root }: Context): string {
  const text = host.files.read(join(root, 'docs/schema.sql'), MAX_SCHEMA_BYTES);
  invariant(text !== undefined, 'docs/schema.sql is missing');
  return text;
}
