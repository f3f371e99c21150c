/**
 * Runs what concerns a change: the tests that load a changed file, and the scripts of the commands that do.
 *
 *     npm run test:changed              since the branch left main, with what is not committed
 *     npm run test:changed -- HEAD      what is not committed
 *
 * A file that most commands load would have all scripts run; `npm test` does that, and here a few stand for
 * them. Whatever else a change may break, `npm test` and `npm run test:long` find.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { commandFiles } from './commands.mjs';

/** More commands than these load a file that is everybody's. */
const MOST_COMMANDS = 12;
const FOR_ALL = ['endpoints/02-purchase-create', 'endpoints/04-refund-create', 'output/pipes'];

const changed = changedFiles(process.argv[2] ?? 'main');
const names = scriptsOf(changed);
const files = changed.filter((file) => /^(?:src|test)\/.*\.ts$/.test(file));
process.stdout.write(`${changed.length} changed files, scripts: ${names.join(', ') || 'none'}\n`);
const codes = [
  files.length > 0 && vitest('related', '--run', '--passWithNoTests', ...files),
  names.length > 0 &&
    vitest('run', 'test/scripts/scripts.test.ts', '-t', `^(?:${names.join('|')})\\.script`),
];
process.exitCode = codes.some((code) => code !== false && code !== 0) ? 1 : 0;

/**
 * @param {string} revision
 * @returns paths of files that differ from where it was left, and are still there
 */
function changedFiles(revision) {
  const base = git('merge-base', 'HEAD', revision).trim();
  const lists = [
    git('diff', '--name-only', base),
    git('ls-files', '--others', '--exclude-standard'),
  ];
  return [...new Set(lists.join('').split('\n'))].filter((file) => file !== '' && existsSync(file));
}

/** @param {string[]} args */
function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' });
}

/** @param {string[]} args */
function vitest(...args) {
  const projects = ['--project', 'source', '--project', 'program'];
  return spawnSync('npx', ['vitest', ...args, ...projects], { stdio: 'inherit' }).status ?? 1;
}

/**
 * @param {string[]} changed paths
 * @returns names of the scripts that are changed, or run a command that loads a changed file
 */
function scriptsOf(changed) {
  const commands = commandFiles()
    .filter(({ file }) => loadedBy(file).some((one) => changed.includes(one)))
    .map(({ id }) => id.replaceAll(':', ' '));
  const isEverybodys = commands.length > MOST_COMMANDS;
  const isRun = new RegExp(`\\bgw(?:-other)? (?:${commands.join('|')})(?![\\w-])`);
  return readdirSync('test/scripts', { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => file.endsWith('.script'))
    .filter((file) => {
      const name = file.slice(0, -'.script'.length);
      if (changed.includes(`test/scripts/${file}`)) return true;
      if (isEverybodys) return FOR_ALL.includes(name);
      return commands.length > 0 && isRun.test(readFileSync(`test/scripts/${file}`, 'utf8'));
    })
    .map((file) => file.slice(0, -'.script'.length))
    .sort();
}

/**
 * @param {string} file
 * @param {Set<string>} found
 * @returns paths of a file of the sources and of all that it imports, also of what it imports when it needs it
 */
function loadedBy(file, found = new Set()) {
  if (found.has(file) || !existsSync(file)) return [...found];
  found.add(file);
  const imports = readFileSync(file, 'utf8').matchAll(
    /(?:^import (?!type)[^;]*?|^\} |\bimport\()(?:from )?'(\.[^']+)'/gm,
  );
  for (const [, name = ''] of imports)
    loadedBy(path.posix.join(path.posix.dirname(file), name), found);
  return [...found];
}
