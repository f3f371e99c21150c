/**
 * What each command loads, as a golden file (budget.txt): a budget that needs no clock. An import
 * that does not belong where it stands shows here, with its name.
 *
 *     npx vitest run test/packaging/budget.test.ts -u    writes what is loaded; read it before you keep it
 */
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import config from '../../rolldown.config.mjs';
import { answer, hostileServer } from '../helpers/hostile-server.ts';
import { PROGRAM } from '../helpers/program.ts';
import { run } from '../helpers/run.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const TRACE = path.resolve('test/helpers/load-trace.cjs');
/** Sizes are shown in steps of this, so that not every change of a file changes the budget. */
const STEP_KB = 10;

const CARD = ['--test-card', 'approved', '--amount', '2500', '--allow-duplicate'];
const AT_GATEWAY = ['purchase get 071-P-1', 'purchase get 071-P-1 071-P-2', 'plan list'];
const COMMANDS: readonly string[] = [
  '--version',
  '--help',
  'purchase create --help',
  'purchase get --nonsense',
  'purchase crate',
  ...AT_GATEWAY,
  `purchase create --profile local ${CARD.join(' ')}`,
  'purchase get 071-P-NONE --profile local',
  'profile list',
  'journal list',
  'events list',
  'emulator status',
  'whoami --profile local',
  'completion bash',
];

interface BuiltFile {
  name: string;
  bytes: number;
  /** Source files, and packages with the number of their files. */
  parts: string[];
}

test('every command loads what it needs, and nothing else', { timeout: 120_000 }, async () => {
  const built = await builtFiles();
  const record = { id: '071-P-1', amount: 2500, successful: true };
  const envelope = JSON.stringify({ successful: true, response: record, errors: [] });
  const server = await hostileServer({
    onRequest: (socket) => void socket.write(answer(200, envelope)),
  });
  const used = new Set<string>();
  const commands: string[] = [];
  for (const command of COMMANDS) {
    const account = AT_GATEWAY.includes(command) ? accountAt(server.url) : {};
    const loaded = await loadedBy(command.split(' '), account);
    const files = loaded.filter((name) => built.has(name));
    for (const file of files) used.add(file);
    commands.push(
      [
        `gw ${command}`,
        `  dist:     ${files.map((file) => built.get(file)?.name).join(', ')}`,
        `  node:     ${loaded.flatMap((name) => /^node:(.*)/.exec(name)?.[1] ?? []).join(', ')}`,
        `  packages: ${packagesOf(loaded).join(', ') || 'none'}`,
        `  at most   ${kilobytes(files.reduce((sum, file) => sum + (built.get(file)?.bytes ?? 0), 0))}`,
      ].join('\n'),
    );
  }
  const files = [...used]
    .flatMap((file) => built.get(file) ?? [])
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, bytes, parts }) =>
      [`${name}, at most ${kilobytes(bytes)}`, ...parts.map((part) => `  ${part}`)].join('\n'),
    );
  const text = [...commands, '-- files --', ...files].join('\n\n');
  await expect(`${text}\n`).toMatchFileSnapshot('budget.txt');
});

/** @returns what the bundler makes, by path */
async function builtFiles(): Promise<Map<string, BuiltFile>> {
  const { output, ...input } = config;
  const build = await rolldown(input);
  const { output: files } = await build.generate(output);
  await build.close();
  return new Map(
    files
      .filter((file) => file.type === 'chunk')
      .map(({ fileName, code, moduleIds }) => {
        const name = fileName.replace(/^chunks\//, '').replace(/(?:-[\w-]{8})?\.cjs$/, '');
        return [
          path.resolve('dist', fileName),
          { name, bytes: Buffer.byteLength(code), parts: partsOf(moduleIds) },
        ];
      }),
  );
}

function partsOf(moduleIds: readonly string[]): string[] {
  const packages = new Map<string, number>();
  const sources: string[] = [];
  for (const id of moduleIds.filter((id) => path.isAbsolute(id))) {
    const name = packageOf(id);
    if (name === undefined) sources.push(path.relative('.', id));
    else packages.set(name, (packages.get(name) ?? 0) + 1);
  }
  return [
    ...sources.sort(),
    ...[...packages].map(([name, count]) => `${name} (${count} files)`).sort(),
  ];
}

function packageOf(file: string): string | undefined {
  return /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file.replaceAll('\\', '/'))?.[1];
}

function packagesOf(files: readonly string[]): string[] {
  return [...new Set(files.flatMap((file) => packageOf(file) ?? []))];
}

async function loadedBy(argv: readonly string[], account: object): Promise<string[]> {
  const home = temporaryDirectory();
  const trace = path.join(home, 'loads');
  mkdirSync(path.join(home, 'home'));
  await run(process.execPath, [PROGRAM, ...argv], {
    env: {
      PATH: process.env.PATH,
      HOME: path.join(home, 'home'),
      NODE_OPTIONS: `--require=${TRACE}`,
      GW_TEST_LOADS: trace,
      ...account,
    },
  });
  return readFileSync(trace, 'utf8').trimEnd().split('\n');
}

function accountAt(url: URL) {
  return {
    GW_USERNAME: 'shop',
    GW_API_TOKEN: 'secret-token',
    GW_BASE_URL: url.href,
    GW_ENVIRONMENT: 'sandbox',
  };
}

function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1000 / STEP_KB) * STEP_KB} KB`;
}
