/**
 * Builds `dist` (see rolldown.config.mjs) and oclif.manifest.json, from which oclif starts: a command
 * that is not in the manifest does not exist, so one that cannot be loaded fails the build. What the
 * fast path needs of the manifest goes to dist/flags, what help is made of to dist/help, and manual pages to
 * dist/man and their names to package.json. Prints nothing when all is well.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import bundles from '../rolldown.config.mjs';
import { commandFiles } from './commands.mjs';
import { manualPages } from './man.mjs';
import { recipes } from './recipes.mjs';

const MANIFEST = 'oclif.manifest.json';
const OCLIF = fileURLToPath(import.meta.resolve('oclif/bin/run.js'));

for (const { output, ...input } of bundles) {
  const bundle = await rolldown(input);
  await bundle.write(output);
  await bundle.close();
}

const oclif = spawnSync(process.execPath, [OCLIF, 'manifest'], {
  encoding: 'utf8',
  // It would look for a newer oclif, in the background, and say so.
  env: { ...process.env, OCLIF_SKIP_NEW_VERSION_CHECK: 'true' },
});
// If oclif cannot load a command, it may only print a message.
if (oclif.status !== 0 || oclif.stderr !== '') {
  throw new Error(`oclif manifest ended with ${oclif.status ?? oclif.signal}:\n${oclif.stderr}`);
}

const manifest = JSON.parse(readFileSync(MANIFEST, 'utf8'));
const written = Object.keys(manifest.commands).sort();
const expected = commandFiles().map(({ id }) => id);
if (written.join() !== expected.join()) {
  throw new Error(`${MANIFEST} has the commands ${written}; src/commands has ${expected}`);
}
// oclif writes them in the order in which the disk lists their files.
manifest.commands = Object.fromEntries(written.map((id) => [id, manifest.commands[id]]));
writeFileSync(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
const packageFile = JSON.parse(readFileSync('package.json', 'utf8'));
const { oclif: settings, version } = packageFile;
for (const [id, command] of Object.entries(manifest.commands)) {
  const file = `${id.replaceAll(':', '/')}.json`;
  write(join('dist/flags', file), forParsing(command));
  write(join('dist/help/commands', file), forHelp(id, command));
}
const index = {
  commands: mapValues(manifest.commands, ({ summary }) => summary),
  erasing: written.filter((id) => manifest.commands[id].erases),
  charging: written.filter((id) => manifest.commands[id].charges),
  topics: mapValues(settings.topics, ({ description }) => description),
};
write('dist/help/index.json', index);
write('dist/help/recipes.json', recipes());

// The page of a command that is no more would still be installed.
rmSync('dist/man', { recursive: true, force: true });
mkdirSync('dist/man');
/** @param {string} id */
const command = (id) => forHelp(id, manifest.commands[id]);
const [released = ''] =
  readFileSync('CHANGELOG.md', 'utf8').split(`\n## ${version} (`)[1]?.split(')') ?? [];
const pages = await manualPages({ index, command, recipes }, { version, released });
for (const [name, page] of pages) writeFileSync(join('dist/man', name), page);
// npm links those pages alone that package.json names, one by one.
const man = [...pages.keys()].map((name) => `dist/man/${name}`);
if (packageFile.man.join() !== man.join())
  writeFileSync('package.json', `${JSON.stringify({ ...packageFile, man }, null, 2)}\n`);

/**
 * @param {string} file
 * @param {unknown} value
 */
function write(file, value) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}

/**
 * Makes a `CommandEntry` of src/cli/dispatch/fast-path.ts: most of the manifest is for help.
 * @param {any} command
 */
function forParsing({ flags, args, strict }) {
  return {
    flags: mapValues(flags, ({ name, type, char, options, exclusive, ...rest }) => {
      const { multiple, allowNo, required, default: standard } = rest;
      const many = { multiple: multiple || undefined, allowNo: allowNo || undefined };
      return { name, type, char, options, exclusive, ...many, required, default: standard };
    }),
    args: mapValues(args, ({ required, default: standard }) => ({ required, default: standard })),
    strict,
  };
}

/**
 * Makes a `CommandHelp` of src/cli/help/help-data.ts.
 * @param {string} id
 * @param {any} command
 */
function forHelp(id, { summary, description, examples, args, flags, strict, fields, choices }) {
  return {
    id,
    summary,
    description,
    examples,
    strict,
    fields,
    choices,
    args: mapValues(args, ({ description, required, default: standard }) => ({
      description,
      required,
      default: standard,
    })),
    flags: mapValues(flags, (flag) => ({
      ...flag,
      hasDynamicHelp: undefined,
      multiple: flag.multiple || undefined,
      allowNo: flag.allowNo || undefined,
    })),
  };
}

/**
 * @template Value
 * @param {Record<string, any>} object
 * @param {(value: any) => Value} change
 * @returns {Record<string, Value>}
 */
function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}
