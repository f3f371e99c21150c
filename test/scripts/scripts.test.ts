/**
 * Runs every `*.script` below this folder (see ../helpers/script.ts for their form), and then looks
 * for secrets in everything that they left behind.
 *
 *     npx vitest run test/scripts -t purchase          some of them
 *     UPDATE=1 npx vitest run test/scripts -t purchase writes what comes out; read it before you keep it
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Door, parseScript, runScript, showScript, updatedScript } from '../helpers/script.ts';
import { findSecrets, secretsIn } from '../helpers/secrets.ts';

const FOLDER = import.meta.dirname;
const SCRIPT_TIMEOUT_MS = 300_000;

const root = mkdtempSync(path.join(tmpdir(), 'gw-scripts-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.script'))
  .sort();
const texts = new Map(names.map((name) => [name, readFileSync(path.join(FOLDER, name), 'utf8')]));
const outputs: { name: string; text: string }[] = [];

function runAt(name: string, door: Door) {
  const directory = path.join(root, `${name.replaceAll(path.sep, '+')}.${door}`);
  mkdirSync(directory);
  const onOutput = (text: string) => outputs.push({ name: `output of ${name} (${door})`, text });
  return runScript(parseScript(texts.get(name) ?? ''), door, { directory, onOutput });
}

describe('scripts', () => {
  for (const [name, text] of texts) {
    const script = parseScript(text);
    if (process.env.UPDATE) {
      test.concurrent(name, { timeout: SCRIPT_TIMEOUT_MS }, () => update(name));
      continue;
    }
    for (const door of script.doors) {
      test.concurrent(`${name} (${door})`, { timeout: SCRIPT_TIMEOUT_MS }, async () => {
        const outcome = await runAt(name, door);
        expect(showScript(script, door, outcome)).toBe(showScript(script, door));
      });
    }
  }
});

async function update(name: string): Promise<void> {
  const script = parseScript(texts.get(name) ?? '');
  const outcomes = new Map<Door, Awaited<ReturnType<typeof runAt>>>();
  for (const door of script.doors) outcomes.set(door, await runAt(name, door));
  // What runAt parsed is another copy: steps are told by their place.
  writeFileSync(path.join(FOLDER, name), updatedScript(script, outcomes));
}
