/**
 * Runs every `*.script` below this folder (see ../helpers/script.ts for their form), at each of its
 * doors and both ways into the program, and then looks for secrets in everything they left behind.
 *
 *     npx vitest run test/scripts -t purchase           some of them
 *     UPDATE=1 npx vitest run test/scripts -t purchase  writes what comes out; read it before you keep it
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Way } from '../helpers/cli.ts';
import {
  type Door,
  type Outcome,
  parseScript,
  runScript,
  type Script,
  showScript,
  updatedScript,
} from '../helpers/script.ts';
import { filesBelow, findSecrets, secretsIn } from '../helpers/secrets.ts';

const FOLDER = import.meta.dirname;
const OPTIONS = { timeout: 300_000 };

const texts = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.script'))
  .sort()
  .map((name): [string, string] => [name, readFileSync(path.join(FOLDER, name), 'utf8')]);
const scripts = texts.map(([name, text]): [string, Script] => [name, parseScript(text)]);

const sound = mkdtempSync(path.join(tmpdir(), 'gw-scripts-'));
/** What a script with a defect leaves behind may be the defect, and is not searched. */
const defective = mkdtempSync(path.join(tmpdir(), 'gw-defects-'));
afterAll(() => {
  for (const folder of [sound, defective]) rmSync(folder, { recursive: true, force: true });
});

const outputs: { place: string; text: string }[] = [];
/** Files that hold card numbers and tokens on purpose. */
const inputs = new Set<string>();

function runAt(name: string, script: Script, door: Door, way: Way = 'fast path'): Promise<Outcome> {
  const isSound = script.defect === undefined;
  const folder = `${name.replaceAll(path.sep, '+')}.${door}.${way.replace(' ', '-')}`;
  const directory = path.join(isSound ? sound : defective, folder);
  mkdirSync(directory);
  for (const file of script.files.keys()) inputs.add(path.join(directory, 'work', file));
  inputs.add(path.join(directory, 'seed.json'));
  const onOutput = (text: string) => {
    if (isSound) outputs.push({ place: `output of ${name} (${door}, ${way})`, text });
  };
  return runScript(script, door, { directory, onOutput, way });
}

async function check(name: string, script: Script, door: Door, way?: Way): Promise<void> {
  const outcome = await runAt(name, script, door, way);
  expect(showScript(script, door, outcome)).toBe(showScript(script, door));
}

async function update(name: string, script: Script): Promise<void> {
  const outcomes = new Map<Door, Outcome>();
  for (const door of script.doors) outcomes.set(door, await runAt(name, script, door));
  writeFileSync(path.join(FOLDER, name), updatedScript(script, outcomes));
}

describe('scripts', () => {
  for (const [name, script] of scripts) {
    if (script.defect !== undefined) {
      for (const door of script.doors)
        test.concurrent.fails(`${name} (${door})`, OPTIONS, () => check(name, script, door));
    } else if (process.env.UPDATE) {
      test.concurrent(name, OPTIONS, () => update(name, script));
    } else {
      for (const door of script.doors) {
        test.concurrent(`${name} (${door})`, OPTIONS, () => check(name, script, door));
        test.concurrent(`${name} (${door}, by oclif)`, OPTIONS, () =>
          check(name, script, door, 'oclif'),
        );
      }
    }
  }
});

describe('what the scripts left behind', () => {
  test('what the scripts left behind holds no card number, no CVV and no API token', () => {
    const secrets = secretsIn(texts.map(([, text]) => text).join('\n'));
    const left = [...outputs, ...filesBelow(sound)].filter(({ place }) => !inputs.has(place));
    // Its own code, compiled, has what the code has: the numbers of the test cards.
    const ofProgram = [...filesBelow('dist')].flatMap(({ text }) => findSecrets(text, secrets));
    const isAllowed = (place: string, secret: string) =>
      place.includes('/.cache/gw/compiled/') && ofProgram.includes(secret);
    const found = left
      .map(({ place, text }) => ({
        place,
        secrets: findSecrets(text, secrets).filter((secret) => !isAllowed(place, secret)),
      }))
      .filter(({ secrets }) => secrets.length > 0);
    expect(found).toEqual([]);
  });
});
