/** `gw forget`: finds who is meant, shows what is kept of them, asks, and erases it. */
import { plural } from '../../base/plural.ts';
import { mayAsk } from '../../cli/flags/request-options.ts';
import {
  isLedgerKept,
  type LedgerPlace,
  ledgerPlace,
  type ServerPlace,
} from '../../client/ledger/place.ts';
import { cancelledSaying, Failure, usage } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import type { Host } from '../../host/host.ts';
import { neutralise } from '../../host/redaction/safe.ts';
import type { Ledger } from '../../journal/ledger.ts';
import { openIndexedLedger } from '../../requests/known/open-indexed.ts';
import { ledgerFile } from '../../store/ledger/ledger-file.ts';
import { ledgerPath } from '../../store/paths.ts';
import { labelOfAddress } from '../../store/postgres/address.ts';
import { Database } from '../../store/sqlite/database.ts';
import { SqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { type PrintFlags, printRecords } from '../../view/print-records.ts';
import {
  ERASED_VIEW,
  type Erased,
  PERSON_VIEW,
  type PersonMatch,
} from '../../view/records/person.ts';
import { erasePerson, type KeptIn } from './erase.ts';
import { findCandidates, findCustomer, nobody, personOf } from './find-person.ts';
import type { Person } from './person.ts';

export interface ForgetFlags extends PrintFlags {
  customer?: string | undefined;
  profile?: string | undefined;
  yes?: boolean | undefined;
  'dry-run'?: boolean | undefined;
  'no-input'?: boolean | undefined;
}

/**
 * @param text an email, a name, a reference or a token; none where a customer is named
 * @throws Failure usage when it may mean several people, notFound for nobody, guard when it was not
 *   confirmed, incomplete when something had to stay
 */
export async function runForget(
  context: Context,
  text: string | undefined,
  flags: ForgetFlags,
): Promise<void> {
  const { host } = context;
  const { customer } = flags;
  const whom = customer === undefined ? JSON.stringify(text) : `the customer ${customer}`;
  if ((text === undefined) === (customer === undefined)) throw nobodyNamed();
  if (!(await isLedgerKept(host, flags))) throw nobody(whom);
  const kept = await keptAt(host, await ledgerPlace(host, flags));
  try {
    if (!flags['dry-run']) await kept.checkRights();
    const found = await identify(context, text, flags);
    await showAndErase(context, whom, { ...found, kept }, flags);
  } finally {
    await kept.close();
  }
}

/** Where it is all kept. */
interface Kept extends KeptIn {
  /** @throws Failure guard when this role may not erase anything there */
  checkRights(): Promise<void>;
  /** Takes out what rows said before. @returns false where somebody who reads meanwhile keeps old bytes */
  compact(): boolean;
  /** What is still to be had of a person there once they were erased. */
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
    rest: "The old data stays in the server's files until it vacuums its tables (VACUUM), and in its backups until you delete them.\nEvents are each machine's own: run this command on every machine that runs `gw listen`.\n",
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

interface Meant {
  candidate: PersonMatch;
  person: Person;
  kept: Kept;
}

async function showAndErase(
  { host }: Context,
  whom: string,
  { candidate, person, kept }: Meant,
  flags: ForgetFlags,
): Promise<void> {
  const { erased, unsure } = await erasePerson(kept, person, true);
  if (erased.length === 0) throw nobody(whom);
  await printRecords(host, flags, erased.map(ERASED_VIEW.record), {
    kind: ERASED_VIEW,
    isUnpaged: true,
  });
  await host.stderr.write(`${whoText(candidate)}: ${summary(erased)}.\n`);
  if (unsure > 0)
    await host.stderr.write(
      `${unsure} more ${plural(unsure, 'has', 'have')} only the name and may be about somebody else, so ${plural(unsure, 'it stays', 'they stay')}. Use \`gw find\` to see them, and \`gw forget\` with the id of a purchase to erase them.\n`,
    );
  if (flags['dry-run']) return host.stderr.write('Nothing was erased.\n');
  await confirm(host, flags);
  const done = await erasePerson(kept, person, false);
  const isCompact = kept.compact();
  if (kept.rest !== undefined) await host.stderr.write(kept.rest);
  await conclude(host, done.erased, isCompact);
}

async function identify(
  context: Context,
  text: string | undefined,
  flags: ForgetFlags,
): Promise<{ candidate: PersonMatch; person: Person }> {
  const ledger = await openIndexedLedger(context.host, flags);
  try {
    const candidate =
      flags.customer === undefined
        ? await onlyOne(context, ledger, text ?? '', flags)
        : await findCustomer(ledger, flags.customer);
    return { candidate, person: await personOf(ledger, candidate) };
  } finally {
    await ledger.close();
  }
}

async function onlyOne(
  { host }: Context,
  ledger: Ledger,
  text: string,
  flags: ForgetFlags,
): Promise<PersonMatch> {
  const candidates = await findCandidates(ledger, text);
  const [first] = candidates;
  if (!first) throw nobody(JSON.stringify(text));
  if (candidates.length === 1) return first;
  await printRecords(host, flags, candidates.map(PERSON_VIEW.record), { kind: PERSON_VIEW });
  throw usage(
    'several-people',
    `${JSON.stringify(text)} could mean any of ${candidates.length} people.`,
    'Nothing was erased. Say which one with `gw forget --customer ID`, or give an email or a full name that only they have.',
  );
}

async function confirm(host: Host, flags: ForgetFlags): Promise<void> {
  if (flags.yes) return;
  if (!mayAsk(host, flags))
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
      `${kept} ${plural(kept, 'entry', 'entries')} had to stay: a request whose outcome is unknown, or an event that is waiting to be passed on.`,
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

function whoText({ customer, names, emails }: PersonMatch): string {
  const parts = [...names, ...emails, ...(customer === null ? [] : [customer])];
  return neutralise(parts.join(', ')) || 'Somebody';
}

const ACTIONS = [
  ['deleted', 'deleted'],
  ['blanked', 'blanked'],
  ['kept', 'kept for now'],
] as const;

/** @returns for example `2 deleted, 5 blanked` */
function summary(erased: readonly Erased[]): string {
  return ACTIONS.map(([action, word]) => [
    erased.filter((one) => one.action === action).length,
    word,
  ])
    .filter(([count]) => count !== 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
}

function nobodyNamed(): Failure {
  return usage(
    'person-missing',
    'Say who to forget: give a text or --customer.',
    'Example: `gw forget ada@example.com`.',
  );
}
