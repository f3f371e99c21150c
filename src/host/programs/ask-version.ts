/**
 * Asks for the newest version and keeps the answer: a program of its own, which `gw` starts and does not wait
 * for. It sends a bare request, follows no redirect, and takes at most 4 KiB within ten seconds.
 *
 *     node dist/ask-version.cjs URL FILE
 */
import http from 'node:http';
import https from 'node:https';
import { createFiles } from '../files/files.ts';
import { addressOf, isVersionText, readKept } from './new-version.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 4_096;

/** Keeps what the address answers in the file, where it is a version. Never fails. */
export async function askVersion(
  address: string,
  file: string,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  const url = addressOf(address);
  const answer = url === undefined ? '' : await get(url, timeoutMs).catch(() => '');
  const version = versionIn(answer);
  if (version === undefined) return;
  const files = createFiles({});
  files.writePrivate(file, JSON.stringify({ ...readKept(files, file), version }));
}

function versionIn(answer: string): string | undefined {
  try {
    const { version } = JSON.parse(answer);
    return isVersionText(version) ? version : undefined;
  } catch {
    return undefined;
  }
}

async function get(url: string, timeoutMs: number): Promise<string> {
  const { get } = url.startsWith('https:') ? https : http;
  const signal = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve, reject) => {
    const request = get(url, { signal, agent: false, headers: { accept: 'application/json' } });
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response.on('error', reject);
      const isWanted = () => response.statusCode === 200 && text.length <= MAX_BYTES;
      response.on('end', () => resolve(isWanted() ? text : ''));
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8');
        if (text.length > MAX_BYTES) request.destroy(new Error('too long'));
      });
    });
  });
}

/** Of the program; a test imports the function. */
export async function run([address = '', file = '']: readonly string[]): Promise<void> {
  await askVersion(address, file);
}
