/**
 * Where a run of gw keeps its ledger: in a file of this user, or on a server that a team shares. And who is named in
 * what is sent from here.
 */

import { usage } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import type { Author } from '../../journal/ledger.ts';
import { ledgerPath, seenPath } from '../../store/paths.ts';
import type { LedgerAddress } from '../../store/postgres/address.ts';
import { checkName, ENVIRONMENT_PROFILE, type Profile } from '../profiles/profile.ts';
import { profilesFile, readProfiles } from '../profiles/store.ts';

/** A file holds no ledger elsewhere unless it says so; reading all of it would cost a start what it has. */
const MENTIONS_LEDGER = '"ledger"';
const MAX_FILE_BYTES = 1024 * 1024;

/** Why it is there. */
export type ChosenBy = 'GW_LEDGER_URL' | 'profile' | 'default';

export interface FilePlace {
  kind: 'file';
  path: string;
  chosenBy: ChosenBy;
}

export interface ServerPlace {
  kind: 'server';
  address: LedgerAddress;
  /** Prints the password; the profile's own command. */
  command: string | undefined;
  /** Name of the profile whose ledger it is; undefined where it is nobody's. */
  profile?: string | undefined;
  chosenBy: ChosenBy;
}

export type LedgerPlace = FilePlace | ServerPlace;

/** What a profile says of its ledger. */
export type LedgerOfProfile = Pick<Profile, 'name' | 'ledger' | 'ledgerCommand'>;

/** What a place is chosen by. */
export interface LedgerChoice {
  /** What the profile in use says; or its name, as `--profile` has it, where it is not looked up yet. */
  profile?: LedgerOfProfile | string | undefined;
}

const VARIABLE = 'GW_LEDGER_URL';

export type LedgerSources = Pick<Host, 'env' | 'files'>;

/**
 * GW_LEDGER_URL, else what the profile says, else the file. Without a profile, that which would be in
 * use; where there is none, nothing is shared.
 * @throws Failure usage when the address is none
 */
export async function ledgerPlace(
  { env, files }: LedgerSources,
  { profile }: LedgerChoice,
): Promise<LedgerPlace> {
  const file = { kind: 'file', path: ledgerPath(files), chosenBy: 'default' } as const;
  const said = typeof profile === 'object' ? profile : await findProfile({ env, files }, profile);
  if (env[VARIABLE]) {
    const server = await serverAt(env[VARIABLE], VARIABLE);
    return { ...server, profile: said.name, chosenBy: VARIABLE };
  }
  if (said.ledger === undefined) return file;
  const server = await serverAt(said.ledger, 'The ledger of the profile');
  return { ...server, profile: said.name, command: said.ledgerCommand };
}

/** @returns whether the ledger of a profile is on a server, be the address one or not */
export function isOnServer(
  env: LedgerSources['env'],
  { ledger }: Pick<Profile, 'ledger'>,
): boolean {
  return Boolean(env[VARIABLE]) || ledger !== undefined;
}

/**
 * Whether there is anything to ask: on a server there is, and a file that is not there yet would be made.
 * @throws Failure usage when the address of a server is none
 */
export async function isLedgerKept(sources: LedgerSources, choice: LedgerChoice): Promise<boolean> {
  const place = await ledgerPlace(sources, choice);
  const { files } = sources;
  return place.kind === 'server' || files.size(place.path) + files.size(seenPath(files)) > 0;
}

/**
 * @param whatItIs names the address in messages
 * @returns its server, without a command of a profile's
 * @throws Failure usage when it is no address
 */
export async function serverAt(url: string, whatItIs: string): Promise<ServerPlace> {
  const { parseLedgerAddress } = await import('../../store/postgres/address.ts');
  const address = parseLedgerAddress(url, whatItIs);
  return { kind: 'server', address, command: undefined, chosenBy: 'profile' };
}

/** @param named its name; undefined for the one in use */
async function findProfile(
  { env, files }: LedgerSources,
  named: string | undefined,
): Promise<Partial<LedgerOfProfile>> {
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

/** What of the host a ledger is opened with. */
export type LedgerHost = Pick<
  Host,
  'clock' | 'env' | 'files' | 'hide' | 'keychain' | 'processes' | 'shell' | 'stderr' | 'user'
>;

export interface OpenLedgerOptions extends LedgerChoice {
  /** Given where many requests are in flight: their writes share transactions. */
  endOfTurn?: () => Promise<void>;
  /** Ends when the user does; waits until then, for a minute at a time, for a server that was there and is away. */
  patience?: AbortSignal;
}

const MAX_OPERATOR = 200;

/** @throws Failure usage when GW_OPERATOR is no name */
export function authorOf({ env, user }: Pick<Host, 'env' | 'user'>): Author {
  const { name, machine } = user;
  const named = env.GW_OPERATOR;
  if (!named) return { operator: `${name}@${machine}`, machine };
  if (named.length <= MAX_OPERATOR && !/\p{Cc}/u.test(named) && named.trim() === named)
    return { operator: named, machine };
  throw usage(
    'operator-invalid',
    'GW_OPERATOR is not a valid operator name.',
    `Set it to one line of up to ${MAX_OPERATOR} characters without a space at either end, such as ada@example.org.`,
  );
}
