/**
 * `gw ledger init`: creates a ledger on a server with the role of its operators, and reports what it did.
 *
 * Tests: test/scripts/commands/ledger-of-a-profile.script, test/system/ledger-restored.test.ts
 */
import { join } from 'node:path';
import { instantText, quantity } from '../../base/text.ts';
import type { RequestOptions } from '../../client/connection/request-options.ts';
import { onlookerOf, openServer } from '../../client/ledger/open-on-server.ts';
import type { ServerPlace } from '../../client/ledger/place.ts';
import { invariant, usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Files, Host } from '../../host/host.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { doubtText, findGap, findRestored } from '../../journal/postgres/restored.ts';
import { copiedAt, setCopied } from '../../store/ledger/copied.ts';
import {
  acceptRestore,
  countMembers,
  makeLedger,
  makeOperator,
  requireJournal,
} from '../../store/ledger/init.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { LEDGER_FORM } from '../../store/ledger/postgres-schema.ts';
import { labelOfAddress } from '../../store/postgres/address.ts';
import type { Server } from '../../store/postgres/server.ts';
import { Database } from '../../store/sqlite/database.ts';
import { namedLedger, noLedger, onServer } from './named-ledger.ts';
import { takeAlong } from './take-along.ts';

export interface InitOptions {
  /** The ledger, as `namedLedger` takes it. */
  ledger: string | undefined;
  profile: string | undefined;
  /** A ledger in a file whose content is copied: a path, or `file`. */
  from: string | undefined;
  /** Roles that become operators. */
  operators: readonly string[];
  /** Roles that become operators who may approve what others propose. */
  approvers: readonly string[];
  /** Whether to forbid --no-journal from now on; undefined changes nothing. */
  requiresJournal: boolean | undefined;
  /** Whether to accept the present server as the ledger's own. */
  acceptsRestore: boolean;
  request: Pick<RequestOptions, 'confirmedProfile' | 'mayAsk'>;
}

const RESTORED = `Accepted. Before you send any of them again, compare with the gateway. \`gw reconcile\` compares
a report of the gateway, and \`gw journal list --unresolved\` shows what is open. Do not run a whole batch again.
Send only the lines that its results do not show as done. gw can send again from now on.`;

/** @throws Failure if the ledger cannot be created, is no backup that could be accepted, or another version of gw created it */
export async function initLedger(context: Context, options: InitOptions): Promise<void> {
  const named = await namedLedger(context.host, options.ledger, options.profile);
  const isBackup = named.kind === 'file' && options.acceptsRestore;
  await (isBackup
    ? acceptFile(context.host, named, options)
    : initServer(context, onServer(named), options));
}

async function initServer(
  context: Context,
  place: ServerPlace,
  options: InitOptions,
): Promise<void> {
  const { host } = context;
  const server = openServer(host, place);
  const label = labelOfAddress(place.address);
  const say = (line: string) => host.stderr.write(`${line}\n`);
  try {
    const isNew = await makeLedger(server, schemaSql(host.files, context.root));
    const isNamed = options.operators.length + options.approvers.length > 0;
    const form = `(format ${LEDGER_FORM})`;
    await say(
      isNew
        ? `Created the ledger at ${label} ${form}.${isNamed ? '' : HINT}`
        : `The ledger at ${label} is there already ${form}.`,
    );
    if (options.from !== undefined)
      for (const line of await takeAlong(host, server, { named: options.from, label }))
        await say(line);
    for (const operator of options.operators) {
      await makeOperator(server, operator, 'operator');
      await say(`${operator} is now an operator.`);
    }
    for (const approver of options.approvers) {
      await makeOperator(server, approver, 'approver');
      await say(`${approver} is now an operator who may approve.`);
    }
    // A dump that was restored on another server has brought no roles along.
    if (!isNew && (await countMembers(server)) === 0) await say(`It has no operators.${HINT}`);
    if (options.acceptsRestore) await acceptShown(host, server, options.request);
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

/** Accepts a backup that was put in the place of the ledger's file. @throws Failure usage unless it is one */
async function acceptFile(
  host: Pick<Host, 'files' | 'prompts' | 'stderr'>,
  { path }: { path: string },
  { request }: Pick<InitOptions, 'request'>,
): Promise<void> {
  if (host.files.size(path) === 0) throw noLedger(path);
  const database = new Database(ledgerFile(path));
  const at = database.read((queries) => queries.do(copiedAt()));
  database.close();
  if (at === null)
    throw usage(
      'ledger-is-a-file',
      `The ledger ${path} is no backup that waits to be accepted.`,
      'There is nothing to do.',
    );
  await host.stderr.write(
    `${path} is a backup of ${instantText(at)}. 0 entries are known to be missing. Entries may be missing since then.\n`,
  );
  const { confirmCount } = await import('../../requests/confirm-live.ts');
  await confirmCount(host, request, 0, 'how many entries are known to be missing');
  setCopied(path, null);
  await host.stderr.write(`${RESTORED}\n`);
}

/** Shows what all machines have noticed, this one too, and accepts that once its number is confirmed. */
async function acceptShown(
  host: Pick<Host, 'env' | 'files' | 'prompts' | 'stderr' | 'user'>,
  server: Server,
  request: InitOptions['request'],
): Promise<void> {
  await findRestored(onlookerOf(host, server));
  const { doubts, since } = await findGap(server);
  const label = labelOfAddress(server.address);
  for (const doubt of doubts) await host.stderr.write(`${neutralise(doubtText(doubt, label))}\n`);
  const count = new Set(doubts.flatMap(({ entry }) => entry ?? [])).size;
  const known = `${quantity(count, 'entry is', 'entries are')} known to be missing`;
  const period =
    since === null
      ? 'The ledger has no entry from before: all of them may be missing.'
      : `Entries ${count > 0 ? 'are' : 'may be'} missing since ${instantText(since)}, when the newest one before that was written.`;
  await host.stderr.write(`${known}. ${period}\n`);
  const { confirmCount } = await import('../../requests/confirm-live.ts');
  await confirmCount(host, request, count, 'how many entries are known to be missing');
  await acceptRestore(
    server,
    doubts.flatMap(({ number }) => number ?? []),
  );
  await host.stderr.write(`${RESTORED}\n`);
}

const HINT =
  ' Each person needs a role on the server: `gw ledger init --operator ada` lets ada use it.';
const MAX_SCHEMA_BYTES = 1024 * 1024;

/** @returns the text of `schema.sql`, which is part of gw */
export function schemaSql(files: Pick<Files, 'read'>, root: string): string {
  const text = files.read(join(root, 'docs/schema.sql'), MAX_SCHEMA_BYTES);
  invariant(text !== undefined, 'docs/schema.sql is missing');
  return text;
}
