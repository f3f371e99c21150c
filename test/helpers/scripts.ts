/**
 * Makes tests of the scripts below `test/scripts`, and one that looks for secrets in what they left behind.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Way } from './cli.ts';
import {
  type Door,
  type Outcome,
  parseScript,
  runScript,
  type Script,
  showScript,
  updatedScript,
} from './script.ts';
import { filesBelow, findSecrets, secretsIn } from './secrets.ts';
import { havePrograms } from './skip.ts';

const FOLDER = path.resolve('test/scripts');
const OPTIONS = { timeout: 300_000 };
/** Programs that some scripts run, beside gw, Node and coreutils. A script that runs one is skipped without it. */
const PROGRAMS = ['bash', 'cmp', 'grep', 'jq', 'sed', 'xargs'];

export interface Run {
  door: Door;
  way: Way;
}

/** @returns the scripts by their paths below `test/scripts`, in order */
export function readScripts(): Map<string, Script> {
  const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });
  return new Map(
    names
      .filter((name) => name.endsWith('.script'))
      .sort()
      .map((name) => [name, parseScript(readFileSync(path.join(FOLDER, name), 'utf8'))]),
  );
}

/** @returns which of PROGRAMS the commands of a script name as a word; not `--jq`, for example */
function programsOf({ items }: Script): string[] {
  const commands = items.flatMap((item) => (typeof item === 'object' ? [item.command] : []));
  return PROGRAMS.filter((name) =>
    commands.some((command) => new RegExp(`(?<![\\w./-])${name} `).test(command)),
  );
}

/**
 * Makes a test of each run of a script.
 * @param runsOf which of its runs are made; with UPDATE=1 a script with any is written instead, at all its doors
 */
export function testScripts(runsOf: (name: string, script: Script) => Run[]): void {
  const left = mkdtempSync(path.join(tmpdir(), 'gw-scripts-'));
  afterAll(() => rmSync(left, { recursive: true, force: true }));
  const outputs: { place: string; text: string }[] = [];
  /** Files that hold card numbers and tokens on purpose. */
  const inputs = new Set<string>();

  function runAt(name: string, script: Script, { door, way }: Run): Promise<Outcome> {
    const folder = `${name.replaceAll(path.sep, '+')}.${door}.${way.replace(' ', '-')}`;
    const directory = path.join(left, folder);
    mkdirSync(directory);
    for (const file of script.files.keys()) inputs.add(path.join(directory, 'work', file));
    inputs.add(path.join(directory, 'seed.json'));
    const onOutput = (text: string) => outputs.push({ place: `output of ${folder}`, text });
    return runScript(script, door, { directory, onOutput, way });
  }

  async function check(name: string, script: Script, run: Run): Promise<void> {
    const outcome = await runAt(name, script, run);
    expect(showScript(script, run.door, outcome)).toBe(showScript(script, run.door));
  }

  async function update(name: string, script: Script): Promise<void> {
    const outcomes = new Map<Door, Outcome>();
    for (const door of script.doors)
      outcomes.set(door, await runAt(name, script, { door, way: 'fast path' }));
    writeFileSync(path.join(FOLDER, name), updatedScript(script, outcomes));
  }

  const scripts = readScripts();
  for (const [name, script] of scripts) {
    const runs = runsOf(name, script);
    if (process.env.UPDATE) {
      if (runs.length > 0) test.concurrent(name, OPTIONS, () => update(name, script));
    } else {
      const canRun = runs.length > 0 && havePrograms(...programsOf(script));
      for (const run of runs) {
        const how = run.way === 'oclif' ? `${run.door}, by oclif` : run.door;
        test
          .skipIf(!canRun)
          .concurrent(`${name} (${how})`, OPTIONS, () => check(name, script, run));
      }
    }
  }

  test('what the scripts left behind holds no card number, no CVV and no API token', () => {
    const texts = [...scripts.keys()].map((name) => readFileSync(path.join(FOLDER, name), 'utf8'));
    const secrets = secretsIn(texts.join('\n'));
    const found = [...outputs, ...filesBelow(left)].filter(({ place }) => !inputs.has(place));
    const telling = found
      .map(({ place, text }) => ({ place, secrets: findSecrets(text, secrets) }))
      .filter(({ secrets }) => secrets.length > 0);
    expect(telling).toEqual([]);
  });
}
