/**
 * Whole-program scripts: shell command lines and what they print, in files that read like a
 * transcript. A script is prose; its indented lines are commands and what must come of them.
 *
 *     A purchase that does not exist is not found.
 *
 *       $ gw purchase get 071-P-NOTHERE
 *       ! Error: Purchase not found
 *       ? 4
 *
 *     -- card.json --
 *     {"card_number": "…"}
 *
 *   $ command     run by `sh -c` in a directory of the script's own; `> ` lines continue it
 *   text          a line of its stdout
 *   ! text        a line of its stderr
 *   ? 4           its exit code, when it is not 0
 *   (http) …      a command, or a line, for this door only
 *   -- name --    from here to the next such line, or the end: a file in the script's directory
 *
 * Every script is run once for each of its doors (`doors: local, http` unless a line of it says
 * otherwise), from the same start, and must print the same:
 *
 *   local   the test gateway in the same process: GW_PROFILE=local
 *   http    `gw emulator start`, with credentials in the environment
 *   none    no gateway, no profile
 *
 * The gateway starts with the file `seed.json` of the script, or with SEED. Its file is $DB. With
 * `gw-other` in place of `gw` a command speaks for the account OTHER, at either door. At the door http
 * `gateway METHOD PATH BODY` sends what gw would not, and prints the status and the answer.
 *
 * Exit codes 2 and 10 promise that nothing was sent; over HTTP that is checked by counting
 * connections, and a line `? 2 although requests were sent` says where it is not so.
 *
 * Invisible characters are shown: control characters as their pictures (␉ is a tab), a space at the
 * end of a line as ␠, an empty line as a backslash. A line that begins like one of the above has a
 * backslash before it. What varies is written as {{kind}}, kinds below; {{kind as name}} keeps it as
 * $name for later commands and {{name}} for later lines; {{home}} and {{work}}
 * stand for the script's home and directory, {{url}} and {{host}} for the address of the gateway,
 * {{ms}} for how long an answer took.
 */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import path from 'node:path';
import type { Way } from './cli.ts';
import { PROGRAM } from './program.ts';
import { type Ended, type Running, start } from './run.ts';

export type Door = 'local' | 'http' | 'none';

interface Line {
  /** The only door that it is for. */
  door: Door | undefined;
  text: string;
}

interface Step {
  door: Door | undefined;
  command: string;
  expected: Line[];
}

export interface Script {
  doors: Door[];
  /** Lines of prose as they are, and steps. */
  items: (string | Step)[];
  files: Map<string, string>;
  /** The files as they are written in the script. */
  filesText: string;
}

/** The output and exit code of a step as lines of a script, by door. */
export type Outcome = Map<Step, string[]>;

/** A gateway whose time stands still and whose ids come in a known order. */
const SEED = '{"seed": "scripts", "start": "2026-01-15T10:00:00Z"}\n';

/** Asks the gateway without gw. */
const GATEWAY = `const [method, path, body] = process.argv.slice(1);
const headers = { authorization: "Basic " + btoa("TEST:TEST"), "content-type": "application/json" };
fetch(process.env.GW_BASE_URL + path, { method, headers, body }).then(async (answer) =>
  console.log(answer.status, await answer.text()));`;

/** The host of the profile `local`. */
const LOCAL_URL = 'http://127.0.0.1:4010';
const COMMAND_TIMEOUT_MS = 120_000;
const DURATION = /in \d+ ms$/;
const KINDS: Readonly<Record<string, string>> = {
  hex: '[0-9a-f]{32}',
  number: '\\d+',
  instant: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z',
  any: '.*',
};

export function parseScript(text: string): Script {
  const filesAt = text.search(/^-- \S+ --$/m);
  const filesText = filesAt === -1 ? '' : text.slice(filesAt);
  const script: Script = {
    doors: ['local', 'http'],
    items: [],
    files: new Map(),
    filesText,
  };
  const [, ...files] = filesText.split(/^-- (\S+) --\n/m);
  for (let i = 0; i < files.length; i += 2) script.files.set(files[i] ?? '', files[i + 1] ?? '');

  const body = filesAt === -1 ? text : text.slice(0, filesAt);
  for (const line of body.replace(/\n$/, '').split('\n')) {
    const [, doors] = /^doors: (.*)$/.exec(line) ?? [];
    if (doors !== undefined) script.doors = doors.split(', ') as Door[];
    addLine(script.items, line);
  }
  return script;
}

function addLine(items: Script['items'], line: string): void {
  const [, door, text] = /^ {2}(?:\((local|http|none)\) )?(.+)$/.exec(line) ?? [];
  if (text === undefined) {
    items.push(line);
    return;
  }
  const step = items.at(-1);
  if (text.startsWith('$ ')) {
    items.push({ door: door as Door | undefined, command: text.slice(2), expected: [] });
  } else if (typeof step !== 'object') {
    throw new Error(`There is no command before: ${line}`);
  } else if (text.startsWith('> ') && step.expected.length === 0) {
    step.command += `\n${text.slice(2)}`;
  } else {
    step.expected.push({ door: door as Door | undefined, text });
  }
}

const isFor = (door: Door) => (item: { door: Door | undefined }) =>
  item.door === undefined || item.door === door;

/** @returns the script as it is to be at one door; with the outcomes of a run, as it was there */
export function showScript({ items }: Script, door: Door, outcome?: Outcome): string {
  const shown = items.flatMap((item) => {
    if (typeof item === 'string') return [item];
    if (!isFor(door)(item)) return [];
    const expected = item.expected.filter(isFor(door)).map(({ text }) => text);
    return showStep(item.command, outcome?.get(item) ?? expected);
  });
  return `${shown.join('\n')}\n`;
}

function showStep(command: string, lines: readonly string[], mark = ''): string[] {
  return [`  ${mark}$ ${command.replaceAll('\n', '\n  > ')}`, ...lines.map((line) => `  ${line}`)];
}

/** @returns the text of the script with what came out, marked where the doors differ */
export function updatedScript(script: Script, outcomes: ReadonlyMap<Door, Outcome>): string {
  const lines = script.items.flatMap((item) => {
    if (typeof item === 'string') return [item];
    const { door, command } = item;
    const doors = door ? [door] : script.doors;
    const merged = merge(doors.map((door) => [door, outcomes.get(door)?.get(item) ?? []]));
    return showStep(command, merged, door ? `(${door}) ` : '');
  });
  return `${lines.join('\n')}\n${script.filesText}`;
}

/** @returns the lines of all doors as one list, those that are not the same at every door marked */
function merge(versions: readonly [Door, string[]][]): string[] {
  const [[, first] = ['none', []], ...others] = versions;
  const marked = (lines: (version: [Door, string[]]) => string[]) =>
    versions.flatMap((version) => lines(version).map((line) => `(${version[0]}) ${line}`));
  if (others.every(([, lines]) => lines.length === first.length)) {
    return first.flatMap((line, n) =>
      others.every(([, lines]) => lines[n] === line)
        ? [line]
        : marked(([, lines]) => [lines[n] ?? '']),
    );
  }
  return marked(([, lines]) => lines);
}

export interface RunOptions {
  /** Empty; receives the script's directory `work` and its `home`. */
  directory: string;
  /** Told of everything that a program printed. */
  onOutput?: (text: string) => void;
  /** `oclif`: ordinary commands do not take the fast path. */
  way?: Way;
}

export async function runScript(
  script: Script,
  door: Door,
  { directory, onOutput = () => undefined, way = 'fast path' }: RunOptions,
): Promise<Outcome> {
  const stage = await setStage(script, door, directory);
  if (way === 'oclif') stage.env.GW_FAST_PATH = 'off';
  const variables = new Map<string, string>();
  const outcome: Outcome = new Map();
  try {
    for (const step of script.items) {
      if (typeof step === 'string' || !isFor(door)(step)) continue;
      const before = stage.connections();
      const env = { ...stage.env, ...Object.fromEntries(variables) };
      const ended = await toItsEnd(startCommand(stage, step.command, env));
      onOutput(ended.stdout);
      onOutput(ended.stderr);
      const lines = linesOf(ended, stage.connections() > before)
        .map(stage.withoutPlaces)
        .map((line) => line.replace(DURATION, 'in {{ms}} ms'));
      const expected = step.expected.filter(isFor(door)).map(({ text }) => text);
      outcome.set(step, withWildcards(lines, expected, variables));
    }
  } finally {
    await stage.close();
  }
  return outcome;
}

interface Stage {
  work: string;
  bin: string;
  env: Record<string, string>;
  /** How many there were so far, to the gateway of the door `http`. */
  connections(): number;
  withoutPlaces(line: string): string;
  close(): Promise<void>;
}

async function setStage(script: Script, door: Door, directory: string): Promise<Stage> {
  const stage = bareStage(script, door, directory);
  if (door === 'none') return stage;
  const seed = path.join(directory, 'seed.json');
  writeFileSync(seed, script.files.get('seed.json') ?? SEED);
  if (door === 'http') return withServer(stage, door, ['--seed', seed]);

  stage.env.GW_PROFILE = 'local';
  const reset = startProgram(stage, ['gw', 'emulator', 'reset', '--seed', seed]);
  const { code, stderr } = await reset.ended;
  if (code !== 0) throw new Error(stderr);
  const usesOther = script.items.some(
    (item) => typeof item === 'object' && /\bgw-other\b/.test(item.command),
  );
  return usesOther ? withServer(stage, door, []) : stage;
}

function bareStage({ files }: Script, door: Door, directory: string): Stage {
  const work = path.join(directory, 'work');
  const home = path.join(directory, 'home');
  const bin = path.join(directory, 'bin');
  for (const folder of [work, home, bin]) mkdirSync(folder);
  for (const [name, content] of files) writeFileSync(path.join(work, name), content);
  writeProgram(bin, 'gw', `exec '${process.execPath}' '${PROGRAM}' "$@"`);
  return {
    work,
    bin,
    env: {
      PATH: `${bin}:${process.env.PATH}`,
      HOME: home,
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      // Else the user and the machine that the tests run on.
      GW_OPERATOR: 'ada@desk',
      DB: path.join(home, door === 'local' ? '.local/state/gw/emulator.db' : 'server.db'),
    },
    connections: () => 0,
    withoutPlaces: (line) =>
      withoutAddress(line.replaceAll(home, '{{home}}').replaceAll(work, '{{work}}'), LOCAL_URL),
    close: async () => undefined,
  };
}

/** Starts a server on the stage's file: for the door `http`, and for `gw-other` at either. */
async function withServer(stage: Stage, door: Door, options: readonly string[]): Promise<Stage> {
  const { env, bin } = stage;
  const command = ['gw', 'emulator', 'start', '--port', '0', '--db', env.DB ?? '', ...options];
  const server = startProgram(stage, command);
  await server.printed(/^http\S+\n/);
  const proxy = await countingProxy(new URL(server.output().split('\n')[0] ?? ''));
  const address = { GW_BASE_URL: proxy.url, GW_ENVIRONMENT: 'sandbox' };
  if (door === 'http')
    Object.assign(env, { GW_USERNAME: 'TEST', GW_API_TOKEN: 'TEST', ...address });
  writeProgram(bin, 'gateway', `exec '${process.execPath}' -e '${GATEWAY}' -- "$@"`);
  writeProgram(
    bin,
    'gw-other',
    `unset GW_PROFILE
    export GW_USERNAME=OTHER GW_API_TOKEN=OTHER GW_BASE_URL=${proxy.url} GW_ENVIRONMENT=sandbox
    exec gw "$@"`,
  );
  return {
    ...stage,
    connections: () => (door === 'http' ? proxy.connections() : 0),
    withoutPlaces: (line) => withoutAddress(stage.withoutPlaces(line), proxy.url),
    async close() {
      server.child.kill('SIGTERM');
      const { code, stderr } = await server.ended;
      proxy.close();
      if (code !== 0) throw new Error(`The gateway ended with ${code}:\n${stderr}`);
    },
  };
}

function writeProgram(folder: string, name: string, lines: string): void {
  writeFileSync(path.join(folder, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
}

function withoutAddress(line: string, url: string): string {
  // A port may begin with the digits of another one.
  const whole = (address: string) => new RegExp(`${escaped(address)}(?!\\d)`, 'g');
  return line.replace(whole(url), '{{url}}').replace(whole(new URL(url).host), '{{host}}');
}

function startProgram({ work, env }: Stage, [file = '', ...args]: string[]): Running {
  return start(file, args, { cwd: work, env, input: '' });
}

/** The command leads a group, so that it can be ended with everything it starts. */
function startCommand({ work }: Stage, command: string, env: Stage['env']): Running {
  return start('sh', ['-c', command], { cwd: work, env, input: '', detached: true });
}

/** @throws when the command hangs */
async function toItsEnd(program: Running): Promise<Ended> {
  const { child } = program;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    if (child.pid) process.kill(-child.pid, 'SIGKILL');
  }, COMMAND_TIMEOUT_MS);
  const ended = await program.ended;
  clearTimeout(timer);
  if (isLate) {
    throw new Error(`Did not end: ${child.spawnargs.join(' ')}\n${ended.stdout}${ended.stderr}`);
  }
  return ended;
}

/** Passes every byte on to a port of this machine, and counts the connections. */
async function countingProxy({ port, hostname }: URL) {
  let connections = 0;
  const server = createServer((client) => {
    connections++;
    const upstream = connect(Number(port), hostname);
    client.pipe(upstream).pipe(client);
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, connections: () => connections, close: () => server.close() };
}

function linesOf({ stdout, stderr, code, signal }: Ended, sent: boolean): string[] {
  const broken = sent && (code === 2 || code === 10) ? ' although requests were sent' : '';
  return [
    ...visibleLines(stdout).map(withBackslash),
    ...missingEnd(stdout),
    ...[...visibleLines(stderr), ...missingEnd(stderr)].map((line) => `! ${line}`.trimEnd()),
    ...(code === 0 ? [] : [`? ${code ?? signal}${broken}`]),
  ];
}

/** Marks a line of output that a reader would take for something else. */
function withBackslash(line: string): string {
  return line.replace(/^(?=$|[$>!?] |!$|\\|\((?:local|http|none)\) )/, '\\');
}

function visibleLines(output: string): string[] {
  return output === '' ? [] : output.replace(/\n$/, '').split('\n').map(visible);
}

function missingEnd(output: string): string[] {
  return output === '' || output.endsWith('\n') ? [] : ['\\ (no line end)'];
}

function visible(line: string): string {
  return line.replace(/\p{Cc}/gu, picture).replace(/ $/, '␠');
}

function picture(control: string): string {
  const code = control.charCodeAt(0);
  if (code === 0x7f) return '␡';
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : `\\u00${code.toString(16)}`;
}

const WILDCARD = /\{\{(\w+)(?: as (\w+))?\}\}/g;

/** @returns the lines; those that fit an expected line with wildcards as that line */
function withWildcards(
  lines: readonly string[],
  expected: readonly string[],
  variables: Map<string, string>,
): string[] {
  const open = expected.filter((line) => line.search(WILDCARD) !== -1);
  return lines.map((line) => {
    const at = open.findIndex((pattern) => fits(pattern, line, variables));
    return at === -1 ? line : (open.splice(at, 1)[0] ?? line);
  });
}

function fits(pattern: string, line: string, variables: Map<string, string>): boolean {
  const names: string[] = [];
  const source = pattern.split(WILDCARD).map((part, i, parts) => {
    if (i % 3 === 0) return escaped(part);
    if (i % 3 === 2) return '';
    const [kind, name] = [KINDS[part], parts[i + 1]];
    if (kind === undefined) return escaped(variables.get(part) ?? `{{${part}}}`);
    if (name !== undefined) names.push(name);
    return name === undefined ? `(?:${kind})` : `(${kind})`;
  });
  const match = new RegExp(`^${source.join('')}$`).exec(line);
  for (const [i, name] of names.entries()) if (match) variables.set(name, match[i + 1] ?? '');
  return match !== null;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
