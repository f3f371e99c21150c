/**
 * Packs gw with the packages that are installed with it, so that npm installs it with an empty cache and no network:
 *
 *     npm run pack:offline [-- FOLDER]     writes gw-VERSION-offline.tgz
 *
 * The packages are those of node_modules, as `npm ci` put them there, with binaries for every system that gw runs on.
 * Their scripts for installing are taken out: they only look for a binary that is there, and npm warns of them.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const folder = path.resolve(process.argv[2] ?? '.');
const aside = mkdtempSync(path.join(tmpdir(), 'gw-pack-'));
process.on('exit', () => rmSync(aside, { recursive: true, force: true }));
const staged = path.join(aside, 'package');

execFileSync('tar', ['-xzf', pack('.', aside), '-C', aside]);
const { packages } = readJson('package-lock.json');
for (const [place, { dev }] of Object.entries(packages)) {
  if (place === '' || dev) continue;
  const target = path.join(staged, place);
  cpSync(place, target, { recursive: true });
  change(path.join(target, 'package.json'), ({ scripts: _, ...rest }) => ({
    ...rest,
    // Without this, npm would build what has a binding.gyp.
    gypfile: false,
  }));
}
change(path.join(staged, 'package.json'), ({ scripts: _, devDependencies: __, ...rest }) => ({
  ...rest,
  bundleDependencies: Object.keys({ ...rest.dependencies, ...rest.optionalDependencies }),
}));
const packed = pack(staged, aside);
const target = path.join(folder, path.basename(packed).replace(/\.tgz$/, '-offline.tgz'));
copyFileSync(packed, target);
process.stdout.write(`${target}\n`);

/**
 * @param {string} source a folder with a package.json
 * @param {string} destination
 * @returns {string} the path of the tarball
 */
function pack(source, destination) {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', destination];
  const [{ filename }] = JSON.parse(
    execFileSync('npm', args, {
      cwd: source,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  return path.join(destination, filename);
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * @param {string} file of JSON
 * @param {(value: any) => object} changed
 */
function change(file, changed) {
  writeFileSync(file, `${JSON.stringify(changed(readJson(file)), null, 2)}\n`);
}
