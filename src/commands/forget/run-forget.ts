/**
 * `gw forget`: finds the person, shows their data, asks, and erases it.
 *
 * find-person.ts finds the person, and erase.ts erases the data.
 *
 * Tests: test/scripts/commands/forget.script, test/system/privacy.test.ts
 */
import { quantity } from '../../base/text.ts';
import type { RequestOptions } from '../../client/connection/request-options.ts';
import {
  authorOf,
  hasLedger,
  type LedgerChoice,
  type LedgerHost,
  ledgerPlace,
  type ServerPlace,
} from '../../client/ledger/place.ts';
import { askOrRefuse, explainCancellation, Failure, usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Files, Host } from '../../host/host.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import { type KnownHost, openLedger } from '../../requests/known/open-ledger.ts';
import { ownStore } from '../../requests/known/own-events.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { ledgerPath } from '../../store/paths.ts';
import { labelOfAddress } from '../../store/postgres/address.ts';
import { Database } from '../../store/sqlite/database.ts';
import type { Deed } from '../../things/deed.ts';
import { type OutputOptions, type PrintHost, printRecords } from '../../view/print-records.ts';
import { erasePerson } from './erase.ts';
import { ERASED_VIEW, type Erased } from './erased.ts';
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
  const place = await ledgerPlace(host, choice);
  if (!hasLedger(host, place)) throw nobody(named);
  const isServer = place.kind === 'server';
  if (isServer && !options.isDry) await checkRights(host, place);
  const erased = await erase(host, named, isServer, options);
  if (!erased) return;
  const isCompact = compact(host.files, isServer ? ledgerPath(host.files) : place.path);
  if (isServer) await host.stderr.write(REST);
  await conclude(host, erased, isCompact);
}

/** The parts of the host by which a person is shown, confirmed and erased. */
type ForgetHost = KnownHost & PrintHost & Pick<Host, 'prompts'>;

/** @returns what happened to each thing; undefined if the user only wants to see it */
async function erase(
  host: ForgetHost,
  named: string,
  isServer: boolean,
  options: ForgetOptions,
): Promise<Erased[] | undefined> {
  const { customer, ledger: choice, note = null, isDry } = options;
  const ledger = await openLedger(host, { needs: 'learns', ...choice });
  try {
    const person = await findPerson(ledger, named, customer !== undefined);
    const kept = { ledger: ledger.sql, events: isServer ? ownStore(host) : ledger.sql };
    const at = host.clock.now().toISOString();
    const deed: Deed = { at, what: 'erased', fields: [], operator: authorOf(host).operator, note };
    const erased = await erasePerson(host, kept, person, { isDry: true, deed });
    if (erased.length === 0) throw nobody(named);
    await show(host, person, erased, options);
    if (isDry) {
      await host.stderr.write('Nothing was erased.\n');
      return undefined;
    }
    await confirm(host, options);
    return await erasePerson(host, kept, person, { isDry: false, deed });
  } finally {
    await ledger.close();
  }
}

/** Said of an erased person on a server. */
const REST =
  "The old data stays in the server's files until it vacuums its tables (VACUUM). Backups have it until you delete them.\nEvents are each machine's own: run this command on every machine that runs `gw listen`.\n";

/**
 * Removes old bytes from a file, which may be missing.
 * @returns false if another process reads meanwhile and keeps some
 */
function compact(files: Pick<Files, 'size'>, path: string): boolean {
  if (files.size(path) === 0) return true;
  const database = new Database(ledgerFile(path));
  try {
    return database.compact();
  } finally {
    database.close();
  }
}

/** @throws Failure guard if this role may not erase anything there */
async function checkRights(host: LedgerHost, place: ServerPlace): Promise<void> {
  const [{ openServer }, { rightsOfRole }] = await Promise.all([
    import('../../client/ledger/open-on-server.ts'),
    import('../../store/ledger/server-status.ts'),
  ]);
  const server = openServer(host, place);
  try {
    const { role, mayDelete } = await rightsOfRole(server);
    if (!mayDelete) throw ownersOnly(role, labelOfAddress(place.address));
  } finally {
    await server.close();
  }
}

function ownersOnly(role: string, label: string): Failure {
  return new Failure(
    'ledger-not-permitted',
    `The role ${role} may not erase anything in the ledger at ${label}.`,
    'Nothing was erased. Ask an owner of the ledger to run this command with their role. `gw forget --dry-run` shows you what it would erase.',
  );
}

async function show(
  host: PrintHost,
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

async function confirm(
  { prompts }: Pick<Host, 'prompts'>,
  { isConfirmed, request }: ForgetOptions,
): Promise<void> {
  if (isConfirmed) return;
  const unasked = new Failure(
    'nobody-to-confirm',
    'gw cannot ask you to confirm: there is no terminal.',
    'Nothing was erased. Add --yes to erase it, or --dry-run to see what would be erased.',
  );
  const ask = () =>
    explainCancellation('Nothing was erased.', () => prompts.confirm('Erase this for good?'));
  if (await askOrRefuse(request, unasked, ask)) return;
  throw new Failure('not-confirmed', 'Not confirmed.', 'Nothing was erased.');
}

async function conclude(
  { stderr }: Pick<Host, 'stderr'>,
  erased: readonly Erased[],
  isCompact: boolean,
): Promise<void> {
  const kept = erased.filter(({ action }) => action === 'kept').length;
  const done = erased.length - kept;
  await stderr.write(
    `Erased the personal data in ${quantity(done, 'entry', 'entries')} kept here.\n`,
  );
  if (kept > 0)
    throw new Failure(
      'person-kept',
      `${quantity(kept, 'entry', 'entries')} had to stay: their outcome is unknown, or they wait to be passed on.`,
      'Run `gw journal resolve`, or `gw listen` until nothing is waiting, then run the same command again.',
    );
  if (!isCompact)
    throw new Failure(
      'log-kept',
      'Another process is reading the journal, so the old data is still in the log file beside it.',
      'Stop `gw listen` and any other gw, then run `gw doctor --repair`.',
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
