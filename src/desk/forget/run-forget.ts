/**
 * `gw forget`: finds the person, shows their data, asks, and erases it.
 *
 * find-person.ts finds the person, and erase.ts erases the data.
 */
import { plural } from '../../base/text.ts';
import type { RequestOptions } from '../../client/connection/request-options.ts';
import {
  authorOf,
  isLedgerKept,
  type LedgerChoice,
  type LedgerPlace,
  ledgerPlace,
  type ServerPlace,
} from '../../client/ledger/place.ts';
import { cancelledSaying, Failure, usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { openIndexedLedger } from '../../requests/known/open-indexed.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { ledgerPath } from '../../store/paths.ts';
import { labelOfAddress } from '../../store/postgres/address.ts';
import { Database } from '../../store/sqlite/database.ts';
import { SqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Deed } from '../../things/deed.ts';
import { type OutputOptions, printRecords } from '../../view/print-records.ts';
import { ERASED_VIEW, type Erased } from '../../view/records/person.ts';
import { erasePerson, type KeptIn } from './erase.ts';
import { type FoundPerson, findPerson, nobody } from './find-person.ts';

export interface ForgetOptions {
  /** Email, id, reference or token; undefined if a customer is named. */
  text: string | undefined;
  /** Id or reference of a customer. */
  customer: string | undefined;
  ledger: LedgerChoice;
  output: OutputOptions;
  /** Only shows what would be erased. */
  isDry: boolean;
  isConfirmed: boolean;
  /** The reason, in the user's words. */
  note: string | undefined;
  request: Pick<RequestOptions, 'mayAsk'>;
}

/**
 * @throws Failure usage if the text is a name or means several people, notFound if nobody has it, guard if the user did
 *   not confirm, incomplete if something had to stay
 */
export async function runForget({ host }: Context, options: ForgetOptions): Promise<void> {
  const { text, customer, ledger: choice } = options;
  const named = customer ?? text;
  if (named === undefined || (text !== undefined && customer !== undefined))
    throw usage(
      'person-missing',
      'Say who to forget: give a text or --customer.',
      'Example: `gw forget ada@example.com`.',
    );
  if (!(await isLedgerKept(host, choice))) throw nobody(named);
  const kept = await keptAt(host, await ledgerPlace(host, choice));
  try {
    if (!options.isDry) await kept.checkRights();
    const person = await find(host, named, options);
    const deed: Deed = {
      at: host.clock.now().toISOString(),
      what: 'erased',
      fields: [],
      operator: authorOf(host).operator,
      note: options.note ?? null,
    };
    const erased = await erasePerson(kept, person, { isDry: true, deed });
    if (erased.length === 0) throw nobody(named);
    await show(host, person, erased, options);
    if (options.isDry) return await host.stderr.write('Nothing was erased.\n');
    await confirm(host, options);
    const done = await erasePerson(kept, person, { isDry: false, deed });
    const isCompact = kept.compact();
    if (kept.rest !== undefined) await host.stderr.write(kept.rest);
    await conclude(host, done, isCompact);
  } finally {
    await kept.close();
  }
}

async function find(
  host: Host,
  named: string,
  { customer, ledger: choice }: ForgetOptions,
): Promise<FoundPerson> {
  const ledger = await openIndexedLedger(host, choice);
  try {
    return await findPerson(ledger, named, customer !== undefined);
  } finally {
    await ledger.close();
  }
}

/** The stores to erase from. */
interface Kept extends KeptIn {
  /** @throws Failure guard when this role may not erase anything there */
  checkRights(): Promise<void>;
  /** Removes old bytes from the store. @returns false if another process reads meanwhile and keeps some */
  compact(): boolean;
  /** A note on what remains of an erased person in that store. */
  rest: string | undefined;
  close(): Promise<void>;
}

async function keptAt(host: Host, place: LedgerPlace): Promise<Kept> {
  if (place.kind !== 'file') return onServer(host, place);
  const database = new Database(ledgerFile(place.path));
  const ledger = new SqliteStore(database);
  return {
    ledger,
    events: database,
    checkRights: async () => undefined,
    compact: () => database.compact(),
    rest: undefined,
    close: () => ledger.close(),
  };
}

async function onServer(host: Host, place: ServerPlace): Promise<Kept> {
  const [{ openServer }, { rightsOfRole }, { PostgresStore }] = await Promise.all([
    import('../../client/ledger/open-on-server.ts'),
    import('../../store/ledger/server-status.ts'),
    import('../../store/postgres/postgres-store.ts'),
  ]);
  const server = openServer(host, place);
  const path = ledgerPath(host.files);
  const events = host.files.size(path) > 0 ? new Database(ledgerFile(path)) : undefined;
  return {
    ledger: new PostgresStore(server),
    events,
    async checkRights() {
      const { role, mayDelete } = await rightsOfRole(server);
      if (!mayDelete) throw ownersOnly(role, labelOfAddress(place.address));
    },
    compact: () => events?.compact() ?? true,
    rest: "The old data stays in the server's files until it vacuums its tables (VACUUM). Backups have it until you delete them.\nEvents are each machine's own: run this command on every machine that runs `gw listen`.\n",
    async close() {
      events?.close();
      await server.close();
    },
  };
}

function ownersOnly(role: string, label: string): Failure {
  return new Failure(
    'guard',
    `The role ${role} may not erase anything in the ledger at ${label}.`,
    {
      code: 'ledger-not-permitted',
      next: 'Nothing was erased. Ask an owner of the ledger to run this command with their role. `gw forget --dry-run` shows you what it would erase.',
    },
  );
}

async function show(
  host: Host,
  { called }: FoundPerson,
  erased: readonly Erased[],
  { output }: ForgetOptions,
): Promise<void> {
  await printRecords(host, output, erased.map(ERASED_VIEW.record), {
    kind: ERASED_VIEW,
    isUnpaged: true,
  });
  const who = neutralise(called.join(', ')) || 'Somebody';
  await host.stderr.write(
    `${who}: ${summary(erased)}.\nRecords that have only their name stay, because others may share it. \`gw find\` shows these, and \`gw forget\` takes their ids.\n`,
  );
}

async function confirm(host: Host, { isConfirmed, request }: ForgetOptions): Promise<void> {
  if (isConfirmed) return;
  if (!request.mayAsk)
    throw new Failure('guard', 'gw cannot ask you to confirm: there is no terminal.', {
      code: 'nobody-to-confirm',
      next: 'Nothing was erased. Add --yes to erase it, or --dry-run to see what would be erased.',
    });
  const ask = () => host.prompts.confirm('Erase this for good?');
  if (await cancelledSaying('Nothing was erased.', ask)) return;
  throw new Failure('guard', 'Not confirmed.', {
    code: 'not-confirmed',
    next: 'Nothing was erased.',
  });
}

async function conclude(
  { stderr }: Pick<Host, 'stderr'>,
  erased: readonly Erased[],
  isCompact: boolean,
): Promise<void> {
  const kept = erased.filter(({ action }) => action === 'kept').length;
  const done = erased.length - kept;
  await stderr.write(
    `Erased the personal data in ${done} ${plural(done, 'entry', 'entries')} kept here.\n`,
  );
  if (kept > 0)
    throw new Failure(
      'incomplete',
      `${kept} ${plural(kept, 'entry', 'entries')} had to stay: their outcome is unknown, or they wait to be passed on.`,
      {
        code: 'person-kept',
        next: 'Run `gw journal resolve`, or `gw listen` until nothing is waiting, then run the same command again.',
      },
    );
  if (!isCompact)
    throw new Failure(
      'incomplete',
      'Another process is reading the journal, so the old data is still in the log file beside it.',
      {
        code: 'log-kept',
        next: 'Stop `gw listen` and any other gw, then run `gw doctor --repair`.',
      },
    );
}

const WORDS = { deleted: 'deleted', blanked: 'blanked', kept: 'kept for now' };

/** @returns for example `2 deleted, 5 blanked` */
function summary(erased: readonly Erased[]): string {
  const counts = Object.entries(WORDS).map(([action, word]) => ({
    count: erased.filter((one) => one.action === action).length,
    word,
  }));
  const some = counts.filter(({ count }) => count > 0);
  return some.map(({ count, word }) => `${count} ${word}`).join(', ');
}
