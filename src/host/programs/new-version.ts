/**
 * Mentions a newer gw: at most once a day, to a person at a terminal, without ever waiting for it.
 *
 * Where to ask is given by GW_UPDATES, an address that answers `{"version": "1.2.3"}`; without one nobody is
 * asked, since there is no public place of gw. A process of its own asks (ask-version.ts), at most once a day,
 * and a later command shows what it was told. Nothing is sent but the request, and nothing of the answer is run.
 * GW_NO_UPDATE_CHECK and CI turn it off.
 */
import path from 'node:path';
import { isLoopback } from '../../base/loopback.ts';
import type { Files, Host } from '../host.ts';

const DAY_MS = 86_400_000;
const MAX_FILE_BYTES = 4_096;
const VERSION = /^\d{1,5}\.\d{1,5}\.\d{1,5}$/;

/** What is kept in between; times are ISO 8601. */
export interface KeptVersion {
  askedAt?: string;
  toldAt?: string;
  version?: string;
}

type Parts = Pick<Host, 'env' | 'clock' | 'files' | 'stderr' | 'stdout' | 'version'> & {
  /** Starts what asks, and does not wait for it. */
  ask(url: string, file: string): void;
};

/** To be called when a command is done. @param argv what was typed after `gw`. Never fails. */
export async function mentionNewVersion(parts: Parts, argv: readonly string[]): Promise<void> {
  const { env, files, clock, stderr, version } = parts;
  const url = addressOf(env.GW_UPDATES);
  if (url === undefined || !mayMention(parts, argv)) return;
  try {
    const file = versionFile(files);
    const now = clock.now();
    const kept = readKept(files, file);
    const isNews = kept.version !== undefined && isNewer(kept.version, version);
    const tells = isNews && isDayAgo(kept.toldAt, now);
    const asks = isDayAgo(kept.askedAt, now);
    if (!tells && !asks) return;
    const at = now.toISOString();
    const next = { ...kept, ...(tells && { toldAt: at }), ...(asks && { askedAt: at }) };
    // Before anything else: of two commands at once one more may ask, and never one in each.
    files.writePrivate(file, JSON.stringify(next));
    if (asks) parts.ask(url, file);
    if (tells) await stderr.write(`gw ${kept.version} is available; this is ${version}.\n`);
  } catch {
    // Nowhere to keep it: then nobody is asked.
  }
}

/** @returns the file between those who ask and those who tell */
export const versionFile = (files: Pick<Files, 'stateDirectory'>) =>
  path.join(files.stateDirectory, 'newest-version.json');

/** @returns what is kept; nothing of a file that is not one of ours */
export function readKept(files: Pick<Files, 'read'>, file: string): KeptVersion {
  try {
    const { askedAt, toldAt, version } = JSON.parse(files.read(file, MAX_FILE_BYTES) ?? '{}');
    return {
      ...(typeof askedAt === 'string' && { askedAt }),
      ...(typeof toldAt === 'string' && { toldAt }),
      ...(isVersionText(version) && { version }),
    };
  } catch {
    return {};
  }
}

export function isVersionText(value: unknown): value is string {
  return typeof value === 'string' && VERSION.test(value);
}

/** @returns the address, where it is https, or http on this machine */
export function addressOf(text: string | undefined): string | undefined {
  const url = text && URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  const isSafe =
    url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  return isSafe ? url.href : undefined;
}

function mayMention({ env, stdout, stderr }: Parts, argv: readonly string[]): boolean {
  if (env.GW_NO_UPDATE_CHECK || env.CI) return false;
  if (!stdout.isTerminal || !stderr.isTerminal) return false;
  return !argv.some((word) => /^(?:--no-input|--json|--jq|--output|-o)/.test(word));
}

function isNewer(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => text.split('.').map(Number));
  const at = [0, 1, 2].find((i) => a?.[i] !== b?.[i]);
  return at !== undefined && Number(a?.[at]) > Number(b?.[at]);
}

/** A time in the future is of a clock that was wrong. */
function isDayAgo(time: string | undefined, now: Date): boolean {
  const passed = now.getTime() - Date.parse(time ?? '');
  return !(passed >= 0 && passed < DAY_MS);
}
