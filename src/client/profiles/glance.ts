/**
 * Which profile a command would use, at a glance, for a prompt that a shell draws after every command. It follows the
 * order of resolve.ts, and loads neither schemas nor credentials. What resolve.ts would refuse is unknown here.
 */
import { join } from 'node:path';
import type { Files } from '../../host/host.ts';
import {
  ENVIRONMENT_PROFILE,
  faultOfOwnName,
  LOCAL_PROFILE,
  PROFILE_VARIABLES,
  PROFILES_FILE,
  type Profile,
  promisedEnvironment,
} from './profile.ts';

type Glanced = Pick<Profile, 'name' | 'environment'>;

interface Stored {
  default?: unknown;
  profiles?: Record<string, { environment?: unknown; baseUrl?: unknown } | undefined>;
}

const MAX_BYTES = 1024 * 1024;

/** @returns undefined if no profile is chosen, or the chosen one cannot be used */
export function glanceProfile(
  flag: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  files: Pick<Files, 'configDirectory' | 'read'>,
): Glanced | undefined {
  const isOfEnvironment = PROFILE_VARIABLES.some((name) => env[name]);
  const chosen = flag ?? (env.GW_PROFILE || (isOfEnvironment ? ENVIRONMENT_PROFILE : undefined));
  // A variable that names a profile contradicts those of another gateway; a flag goes before them.
  const others = flag === undefined && env.GW_PROFILE ? env : {};
  if (chosen === LOCAL_PROFILE.name)
    return isContradicted(LOCAL_PROFILE, others) ? undefined : LOCAL_PROFILE;
  if (chosen === ENVIRONMENT_PROFILE)
    return PROFILE_VARIABLES.every((name) => env[name])
      ? glanced(chosen, env.GW_ENVIRONMENT)
      : undefined;
  const stored = readStored(files);
  const name = chosen ?? stored?.default;
  return typeof name === 'string' ? glanceStored(name, stored, others) : undefined;
}

function glanceStored(
  name: string,
  stored: Stored | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Glanced | undefined {
  if (faultOfOwnName(name) !== undefined) return undefined;
  if (!stored?.profiles || !Object.hasOwn(stored.profiles, name)) return undefined;
  const { environment, baseUrl } = stored.profiles[name] ?? {};
  const found = glanced(name, environment);
  const promised = promisedEnvironment(name) ?? found?.environment;
  const isRefused =
    found?.environment !== promised || isContradicted({ environment, baseUrl }, env);
  return isRefused ? undefined : found;
}

/** @returns whether the variables name another gateway than the profile's */
function isContradicted(
  { environment, baseUrl }: { environment: unknown; baseUrl: unknown },
  { GW_ENVIRONMENT, GW_BASE_URL }: Readonly<Record<string, string | undefined>>,
): boolean {
  const address = URL.canParse(GW_BASE_URL ?? '') ? new URL(GW_BASE_URL ?? '').href : GW_BASE_URL;
  return (
    Boolean(GW_ENVIRONMENT && GW_ENVIRONMENT !== environment) ||
    Boolean(address && address !== String(baseUrl))
  );
}

function glanced(name: string, environment: unknown): Glanced | undefined {
  return environment === 'live' || environment === 'sandbox' ? { name, environment } : undefined;
}

function readStored(files: Pick<Files, 'configDirectory' | 'read'>): Stored | undefined {
  try {
    const text = files.read(join(files.configDirectory, PROFILES_FILE), MAX_BYTES);
    return text === undefined ? undefined : (JSON.parse(text) as Stored);
  } catch {
    // A prompt says nothing about a damaged file: every other command does.
    return undefined;
  }
}
