/**
 * Stores the profiles of this machine in `profiles.json`, in gw's configuration directory, and implements the `profile`
 * commands. The file holds no secrets.
 *
 *     { "default": "sandbox",
 *       "profiles": { "sandbox": { "environment": "sandbox", "baseUrl": "https://…" } } }
 */
import { join } from 'node:path';
import { type Json, jsonIn, repeatsField } from '../../base/json.ts';
import { moneyText } from '../../contract/money.ts';
import { Failure, usage } from '../../failure.ts';
import type { Files } from '../../host/host.ts';
import { capText, parseAmount } from '../../journal/caps.ts';
import type { Cap } from '../../journal/rules.ts';
import { faultOf, parseBaseUrl } from './base-url.ts';
import {
  capsOf,
  checkName,
  checkOwnName,
  KEEP_DAYS,
  LOCAL_PROFILE,
  PROFILES_FILE,
  PROPOSED_PROFILES,
  type Profile,
  promisedEnvironment,
} from './profile.ts';
import type { ProfileSettings } from './settings.ts';

const MAX_FILE_BYTES = 1024 * 1024;

/** Changes for `setProfile`: a value replaces, null removes, and a missing field stays. */
export type ProfileChanges = {
  [Field in keyof ProfileSettings]?: ProfileSettings[Field] | null | undefined;
};

export interface StoredProfiles {
  /** May name a profile that was removed. */
  default: string | undefined;
  profiles: ReadonlyMap<string, ProfileSettings>;
}

export interface ListedProfile {
  profile: Profile;
  isDefault: boolean;
  /** true for the test gateway, which is not stored. */
  isBuiltIn: boolean;
}

export type ProfileFiles = Pick<Files, 'configDirectory' | 'read' | 'writePrivate'>;

/** @returns path of the file that holds the profiles */
export function profilesFile(files: Pick<Files, 'configDirectory'>): string {
  return join(files.configDirectory, PROFILES_FILE);
}

/** @throws Failure usage if the file is damaged; names the place and how to correct it */
export async function readProfiles(files: ProfileFiles): Promise<StoredProfiles> {
  const file = profilesFile(files);
  const text = files.read(file, MAX_FILE_BYTES);
  if (text === undefined) return { default: undefined, profiles: new Map() };

  // This loads zod, which a command with a profile from the environment does not need.
  const { describeIssue, fileSchema } = await import('./settings.ts');
  const stored = fileSchema.safeParse(await checkedJson(text, file));
  if (!stored.success) {
    throw usage(
      'profiles-invalid',
      `${file} cannot be used: ${stored.error.issues.map(describeIssue).join('; ')}.`,
      'Correct the file, then run the command again.',
    );
  }
  return {
    default: stored.data.default,
    profiles: new Map(Object.entries(stored.data.profiles)),
  };
}

function writeProfiles(files: ProfileFiles, stored: StoredProfiles): void {
  const { default: name, profiles } = stored;
  const object = { default: name, profiles: Object.fromEntries(profiles) };
  files.writePrivate(profilesFile(files), `${JSON.stringify(object, null, 2)}\n`);
}

/** @returns the stored profiles sorted by name, then the built-in one */
export async function listProfiles(files: ProfileFiles): Promise<ListedProfile[]> {
  const stored = await readProfiles(files);
  const own = [...stored.profiles]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, settings]) => ({
      profile: profileOf(name, settings),
      isDefault: name === stored.default,
      isBuiltIn: false,
    }));
  return [...own, { profile: LOCAL_PROFILE, isDefault: false, isBuiltIn: true }];
}

/** A suggested name that no profile has yet. */
export interface MissingProfile {
  name: string;
  environment: Profile['environment'];
  /** The command that sets it up. */
  next: string;
}

/** @returns the suggested names that no profile has yet, one per environment of the gateway (section 1) */
export async function missingProfiles(files: ProfileFiles): Promise<MissingProfile[]> {
  const { profiles } = await readProfiles(files);
  return PROPOSED_PROFILES.filter(({ name }) => !profiles.has(name)).map((proposed) => ({
    ...proposed,
    next: setUpCommand(proposed.name),
  }));
}

/** @returns the command that sets a profile up; on a terminal it asks for the rest */
function setUpCommand(name: string): string {
  return `gw login ${name}${promisedEnvironment(name) ? '' : ' --environment sandbox'}`;
}

/**
 * @param name a stored profile, or `local`
 * @throws Failure usage if there is none; auth if it is a suggested name that is not set up yet
 */
export async function showProfile(files: ProfileFiles, name: string): Promise<Profile> {
  checkName(name);
  if (name === LOCAL_PROFILE.name) return LOCAL_PROFILE;
  const { profiles } = await readProfiles(files);
  const settings = profiles.get(name);
  if (!settings) throw await noProfile(files, profiles, name);
  return profileOf(name, settings);
}

/** Makes a stored profile the default. @throws Failure usage for `local`, which must always be named */
export async function useProfile(files: ProfileFiles, name: string): Promise<Profile> {
  checkOwnName(name);
  const stored = await readProfiles(files);
  const settings = stored.profiles.get(name);
  if (!settings) throw await noProfile(files, stored.profiles, name);
  writeProfiles(files, { ...stored, default: name });
  return profileOf(name, settings);
}

export interface SetResult {
  profile: Profile;
  isNew: boolean;
  /** Whether it is the default profile now. */
  isDefault: boolean;
  /** Whether the environment or the address changed; credentials stored earlier were for the old ones. */
  isMoved: boolean;
}

/**
 * @param before the profile before the change
 * @returns the guards that the changes remove from a live profile, each a phrase: `lifts read-only`
 */
export async function liftedGuards(before: Profile, changes: ProfileChanges): Promise<string[]> {
  if (before.environment !== 'live') return [];
  const { environment, baseUrl, readOnly, allowedCommands, ledger, keepDays } = changes;
  const { keepDays: kept = KEEP_DAYS } = before;
  const isGiven = (value: unknown, now: unknown) =>
    value !== undefined && (value ?? undefined) !== now;
  return [
    isGiven(environment, before.environment) && `makes it a ${environment} profile`,
    typeof baseUrl === 'string' &&
      isOther(baseUrl, before.baseUrl) &&
      `sends its requests to ${baseUrl} instead of ${before.baseUrl.host}`,
    before.readOnly === true && isGiven(readOnly, true) && 'lifts read-only',
    liftedLimit(before, changes),
    ...liftedCaps(before, changes),
    ...liftedApproval(before, changes),
    before.requireNote === true &&
      isGiven(changes.requireNote, true) &&
      'asks for no note any more',
    before.allowedCommands !== undefined &&
      (allowedCommands === null
        ? 'allows every command'
        : allows(before.allowedCommands, allowedCommands)),
    keepDays !== undefined &&
      (keepDays ?? KEEP_DAYS) < kept &&
      `lets \`gw prune\` delete requests after ${keepDays ?? KEEP_DAYS} instead of ${kept} days`,
    before.ledger !== undefined &&
      isGiven(ledger, before.ledger) &&
      (await isElsewhere(before.ledger, ledger)) &&
      'moves it away from the ledger that knows what was sent',
  ].filter((phrase) => typeof phrase === 'string');
}

/** Another role, certificate authority or spelling leads to the same ledger. */
async function isElsewhere(before: string, ledger: string | null | undefined): Promise<boolean> {
  const { parseLedgerAddress, placeOfAddress } = await import('../../store/postgres/address.ts');
  const placeOf = (text: string) => placeOfAddress(parseLedgerAddress(text, 'The ledger'));
  return typeof ledger !== 'string' || placeOf(ledger) !== placeOf(before);
}

/** A limit is in the currency of the profile, so in another it may allow more. A first currency allows less. */
function liftedLimit(
  { maxAmount: limit, currency: code }: Profile,
  { maxAmount = limit, currency = code }: ProfileChanges,
): string | false {
  if (limit === undefined) return false;
  if (maxAmount == null) return `lifts the limit of ${moneyText(limit, code)}`;
  const change = `the limit of ${moneyText(limit, code)} to ${moneyText(maxAmount, currency)}`;
  if (code !== undefined && currency !== code) return `changes ${change}`;
  return maxAmount > limit && `raises ${change}`;
}

/** Whatever is counted apart has to be capped as before; an amount in one more currency was refused until now. */
function liftedCaps(before: Profile, changes: ProfileChanges): string[] {
  const { maxPerHour, maxPerDay, currency } = { ...before, ...withoutUndefined(changes) };
  const after = capsOf({
    currency: currency ?? undefined,
    maxPerHour: maxPerHour ?? undefined,
    maxPerDay: maxPerDay ?? undefined,
  });
  const had = capsOf(before);
  const lifted = had.flatMap((cap) => {
    const now = after.filter((one) => countsAlike(one, cap)).map(({ most }) => most);
    const most = Math.min(...now);
    if (most <= cap.most) return [];
    if (now.length === 0) return [`lifts the cap of ${capText(cap)}`];
    return [`raises the cap of ${capText(cap)} to ${capText({ ...cap, most })}`];
  });
  const added = after.filter(
    (cap) =>
      cap.currency !== undefined &&
      had.some(({ of, currency: code }) => of === cap.of && code !== undefined) &&
      !had.some(({ of, currency: code }) => of === cap.of && code === cap.currency),
  );
  return [...lifted, ...added.map(({ of, currency: code }) => `allows ${of} in ${code}`)];
}

/** An amount in a currency without a threshold always needs another person. */
function liftedApproval(before: Profile, changes: ProfileChanges): string[] {
  const { twoPersonsAbove: had } = before;
  if (!had) return [];
  const { twoPersonsAbove, currency } = { ...before, ...withoutUndefined(changes) };
  if (!twoPersonsAbove) return ['lets one person send any amount'];
  const now = twoPersonsAbove.flatMap((text) => parseAmount(text, currency ?? undefined) ?? []);
  const old = had.flatMap((text) => parseAmount(text, before.currency) ?? []);
  return now
    .filter(({ minor, currency: code }) => {
      const then = old.find((one) => one.currency === code);
      return minor > (then?.minor ?? 0);
    })
    .map(({ minor, currency: code }) => `lets one person send up to ${moneyText(minor, code)}`);
}

function countsAlike(one: Cap, other: Cap): boolean {
  return (
    one.per === other.per &&
    one.of === other.of &&
    one.currency === other.currency &&
    one.isEach === other.isEach
  );
}

function isOther(address: string, now: URL): boolean {
  return (
    faultOf(address) === undefined && parseBaseUrl(address, 'The base address').href !== now.href
  );
}

function allows(before: readonly string[], after: readonly string[] = before): string | false {
  const added = after.filter((name) => !before.includes(name));
  return added.length > 0 && `allows ${added.map((name) => `\`${name}\``).join(', ')}`;
}

/**
 * Adds or changes a profile. The first sandbox profile becomes the default; a live one never does automatically.
 * @param confirm called with the guards that a change removes from a live profile; throws to prevent the change
 * @throws Failure usage if the profile would be invalid
 */
export async function setProfile(
  files: ProfileFiles,
  name: string,
  changes: ProfileChanges,
  confirm: (before: Profile, lifted: readonly string[]) => Promise<void> = async () => undefined,
): Promise<SetResult> {
  checkOwnName(name);
  const stored = await readProfiles(files);
  const before = stored.profiles.get(name);
  const merged = {
    environment: promisedEnvironment(name),
    ...before,
    ...withoutUndefined(changes),
  };
  const { describeIssue, profilesSchema } = await import('./settings.ts');
  const checked = profilesSchema.safeParse({ [name]: withoutNulls(merged) });
  if (!checked.success) {
    const issues = checked.error.issues.map(({ path: [, field], ...issue }) =>
      describeIssue({ ...issue, path: field === undefined ? [] : [flagOf(String(field))] }),
    );
    const isIncomplete = merged.environment === undefined || !merged.baseUrl;
    const correct = isIncomplete
      ? 'A profile needs an environment and a base address.'
      : 'Nothing was changed.';
    throw usage(
      'profile-invalid',
      `The profile ${name} cannot be stored: ${issues.join('; ')}.`,
      `${correct} \`gw profile set --help\` shows what each setting takes.`,
    );
  }
  const settings = checked.data[name]!;
  settings.baseUrl = parseBaseUrl(settings.baseUrl, 'The base address').href;

  if (before) {
    const profile = profileOf(name, before);
    await confirm(profile, await liftedGuards(profile, changes));
  }

  const isFirst = stored.profiles.size === 0 && settings.environment === 'sandbox';
  const defaultName = stored.default ?? (isFirst ? name : undefined);
  const profiles = new Map(stored.profiles).set(name, settings);
  writeProfiles(files, { default: defaultName, profiles });
  return {
    profile: profileOf(name, settings),
    isNew: before === undefined,
    isDefault: defaultName === name,
    isMoved:
      before !== undefined &&
      (before.environment !== settings.environment ||
        parseBaseUrl(before.baseUrl, 'The base address').href !== settings.baseUrl),
  };
}

/**
 * Removes a profile, which may leave no default. Keeps its credentials; `deleteCredentials` removes them.
 * @throws Failure usage if there is no such profile
 */
export async function removeProfile(
  files: ProfileFiles,
  name: string,
): Promise<{ wasDefault: boolean; ledger: string | undefined }> {
  checkOwnName(name);
  const stored = await readProfiles(files);
  const settings = stored.profiles.get(name);
  if (!settings) throw nothingToRemove(await noProfile(files, stored.profiles, name));
  const profiles = new Map(stored.profiles);
  profiles.delete(name);
  const wasDefault = stored.default === name;
  writeProfiles(files, { default: wasDefault ? undefined : stored.default, profiles });
  return { wasDefault, ledger: settings.ledger };
}

function profileOf(name: string, settings: ProfileSettings): Profile {
  const { baseUrl, ...rest } = settings;
  return { name, ...rest, baseUrl: parseBaseUrl(baseUrl, 'The base address') };
}

/** @returns the flag that sets a field of a stored profile */
function flagOf(field: string): string {
  const name = field === 'keepDays' ? 'keep' : field;
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function withoutUndefined(changes: ProfileChanges): ProfileChanges {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

function withoutNulls(settings: ProfileChanges): ProfileChanges {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value != null));
}

function nothingToRemove(failure: Failure): Failure {
  return failure.with({
    next: 'There is nothing to remove. Run `gw profile list` to see your profiles.',
  });
}

/** A suggested name is not a mistake; it is only not set up here yet. */
async function noProfile(
  files: ProfileFiles,
  known: StoredProfiles['profiles'],
  name: string,
): Promise<Failure> {
  if (promisedEnvironment(name) !== undefined) {
    return new Failure(
      'profile-not-set-up',
      `The profile ${name} is not set up on this machine.`,
      `Run \`${setUpCommand(name)}\`, or add --profile local to try gw without a gateway.`,
    );
  }
  // Loaded only for a mistake, so that other commands need not load it.
  const { nearest } = await import('../../base/nearest.ts');
  const meant = nearest(name, [...known.keys(), LOCAL_PROFILE.name]);
  return usage(
    'profile-unknown',
    `${profilesFile(files)} has no profile ${name}.`,
    meant !== undefined
      ? `Did you mean ${meant}? \`gw profile list\` shows your profiles.`
      : `Run \`gw profile list\` to see your profiles, or \`${setUpCommand(name)}\` (or live) to add this one.`,
  );
}

/**
 * Parses JSON that a person wrote, such as a file of profiles. Loads base/json-text.ts only to describe a fault.
 * @param whatItIs names the text in messages
 * @throws Failure usage if the text is not JSON, or repeats a field
 */
export async function checkedJson(text: string, whatItIs: string): Promise<Json> {
  const value = jsonIn(text);
  if (value !== undefined && !repeatsField(text, value)) return value;
  const { parseJson } = await import('../../base/json-text.ts');
  return parseJson(text, whatItIs);
}
