/**
 * Decides where gw keeps its ledger, in this user's file or on a team's server, whose knowledge a text then rests on, and
 * which author the ledger records.
 *
 * Tests: test/unit/client/ledger/open-on-server.test.ts, test/unit/commands/ledger/run-status.test.ts,
 * test/scripts/commands/ledger-of-a-profile.script
 */
import { holdsControl } from '../../base/clean-text.ts';
import { usage } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import type { Author } from '../../journal/ledger.ts';
import { ledgerPath, seenPath } from '../../store/paths.ts';
import type { LedgerAddress } from '../../store/postgres/address.ts';
import type { ReadSources } from '../../things/read-sources.ts';
import type { StoredThings } from '../../things/stored-things.ts';
import { checkName, ENVIRONMENT_PROFILE, type Profile } from '../profiles/profile.ts';
import { profilesFile, readProfiles, showProfile } from '../profiles/store.ts';

/** Without this text, the profiles name no ledger. Reading them in full would cost too much at startup. */
const MENTIONS_LEDGER = '"ledger"';
const MAX_FILE_BYTES = 1024 * 1024;

/** The setting that chose the place. */
export type ChosenBy = 'GW_LEDGER_URL' | 'profile' | 'default';

export interface FilePlace {
  kind: 'file';
  path: string;
  chosenBy: ChosenBy;
}

export interface ServerPlace {
  kind: 'server';
  address: LedgerAddress;
  /** The profile's command that prints the password. */
  command: string | undefined;
  chosenBy: ChosenBy;
}

export type LedgerPlace = FilePlace | ServerPlace;

export type LedgerSettings = Pick<Profile, 'name' | 'ledger' | 'ledgerCommand'>;

/** The part of an owner that chooses the ledger: its profile. */
export interface LedgerChoice {
  /** Settings of the profile in use, or its name from `--profile` if it has not been looked up yet. */
  profile?: LedgerSettings | string | undefined;
}

const VARIABLE = 'GW_LEDGER_URL';

export type LedgerSources = Pick<Host, 'env' | 'files'>;

/** @returns the place of this user's file */
export function ownFile(files: LedgerSources['files']): FilePlace {
  return { kind: 'file', path: ledgerPath(files), chosenBy: 'default' };
}

/**
 * Takes GW_LEDGER_URL, else the profile's ledger, else the file. Without a given profile, uses the one that would be in
 * use. If there is none, the ledger is the file.
 * @throws Failure usage if the address is invalid
 */
export async function ledgerPlace(
  { env, files }: LedgerSources,
  { profile }: LedgerChoice,
): Promise<LedgerPlace> {
  const said = typeof profile === 'object' ? profile : await findProfile({ env, files }, profile);
  if (env[VARIABLE]) return { ...(await serverAt(env[VARIABLE], VARIABLE)), chosenBy: VARIABLE };
  if (said.ledger === undefined) return ownFile(files);
  const server = await serverAt(said.ledger, 'The ledger of the profile');
  return { ...server, command: said.ledgerCommand };
}

/** @returns whether the profile's ledger is on a server, even if its address is invalid */
export function isOnServer(
  env: LedgerSources['env'],
  { ledger }: Pick<Profile, 'ledger'>,
): boolean {
  return Boolean(env[VARIABLE]) || ledger !== undefined;
}

/** @returns whether there is a ledger to ask. A server always counts; a missing file would only be created. */
export function hasLedger({ files }: Pick<LedgerSources, 'files'>, place: LedgerPlace): boolean {
  return place.kind === 'server' || files.size(place.path) + files.size(seenPath(files)) > 0;
}

/**
 * @param whatItIs the address's name in messages
 * @returns the server, without a profile's password command
 * @throws Failure usage if the address is invalid
 */
export async function serverAt(url: string, whatItIs: string): Promise<ServerPlace> {
  const { parseLedgerAddress } = await import('../../store/postgres/address.ts');
  const address = parseLedgerAddress(url, whatItIs);
  return { kind: 'server', address, command: undefined, chosenBy: 'profile' };
}

/**
 * @param named name of the profile; undefined for the one in use
 * @throws Failure usage or auth if a named profile does not exist: its ledger would be a guess
 */
async function findProfile(
  { env, files }: LedgerSources,
  named: string | undefined,
): Promise<Partial<LedgerSettings>> {
  if (named !== undefined && named !== ENVIRONMENT_PROFILE) return showProfile(files, named);
  const text = files.read(profilesFile(files), MAX_FILE_BYTES);
  if (!env[VARIABLE] && !text?.includes(MENTIONS_LEDGER)) return {};
  const { hasEnvironmentProfile } = await import('../profiles/resolve.ts');
  const stored = await readProfiles(files);
  const usual = hasEnvironmentProfile(env) ? ENVIRONMENT_PROFILE : stored.default;
  const name = named ?? (env.GW_PROFILE || usual);
  if (name === undefined) return {};
  checkName(name);
  return { name, ...stored.profiles.get(name) };
}

/** The parts of the host that a ledger needs. */
export type LedgerHost = Pick<
  Host,
  'clock' | 'env' | 'files' | 'hide' | 'keychain' | 'processes' | 'shell' | 'stderr' | 'user'
>;

export interface LedgerOptions {
  /** For callers with many requests in flight: their writes share transactions. */
  endOfTurn?: () => Promise<void>;
  /** Aborted when the user interrupts. If given, gw waits for a server that goes away, up to a minute at a time. */
  patience?: AbortSignal;
  /** The events of this machine, as things, beside a ledger on a server. */
  own?: StoredThings | undefined;
  /** Reads the sources of things in a file. Without it, they are entries and records alone. */
  readSources?: ReadSources | undefined;
}

const MAX_OPERATOR = 200;

/** @throws Failure usage if GW_OPERATOR is not a valid name */
export function authorOf({ env, user }: Pick<Host, 'env' | 'user'>): Author {
  const { name, machine } = user;
  const named = env.GW_OPERATOR;
  if (!named) return { operator: `${name}@${machine}`, machine };
  if (named.length <= MAX_OPERATOR && !holdsControl(named) && named.trim() === named)
    return { operator: named, machine };
  throw usage(
    'operator-invalid',
    'GW_OPERATOR is not a valid operator name.',
    `Set it to one line of up to ${MAX_OPERATOR} characters without a space at either end, such as ada@example.org.`,
  );
}

export interface DataSource {
  /** Ends a sentence that begins with `what was`. Events belong to each machine, also in a team. */
  known: 'seen, sent and received on this machine' | typeof KNOWN_TO_TEAM;
  /** Ends a sentence about what is not known, after `what`. */
  unknown: 'this machine did not see, send or receive' | typeof UNKNOWN_TO_TEAM;
  /** Follows "seen" or "sent". */
  where: 'on this machine' | 'by the team';
  /** Follows "known". */
  to: 'on this machine' | 'to the team';
}

const KNOWN_TO_TEAM = 'seen and sent by the team, and received on this machine';
const UNKNOWN_TO_TEAM = 'the team did not see or send, and this machine did not receive';

const ALONE: DataSource = {
  known: 'seen, sent and received on this machine',
  unknown: 'this machine did not see, send or receive',
  where: 'on this machine',
  to: 'on this machine',
};
const SHARED: DataSource = {
  known: KNOWN_TO_TEAM,
  unknown: UNKNOWN_TO_TEAM,
  where: 'by the team',
  to: 'to the team',
};

/** @throws Failure usage if the address of a server is invalid */
export async function dataSourceOf(
  sources: LedgerSources,
  choice: LedgerChoice,
): Promise<DataSource> {
  return (await ledgerPlace(sources, choice)).kind === 'server' ? SHARED : ALONE;
}
