/**
 * Adds to package-lock.json what npm left out: the packages that are only for other platforms.
 *
 * Some registries do not have every platform's build of a package. `npm install` then leaves the
 * missing ones out of the lock file, and `npm ci` refuses such a lock file, everywhere. An entry
 * needs no more than what a package's name and its dependent tell: version, system and processor.
 * On a machine that the entry is for, npm fetches the package as usual.
 *
 *     node scripts/complete-lock.mjs     after `npm install` of something new
 */
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'package-lock.json';
const EXACT = /^\d+\.\d+\.\d+/;
/** @type {Record<string, string>} */
const LIBC = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' };

const lock = JSON.parse(readFileSync(FILE, 'utf8'));
const { packages } = lock;
const added = [];

for (const [dependent, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const found = resolve(dependent, name);
    if (found && (packages[found].version === version || !EXACT.test(version))) continue;
    if (!EXACT.test(version)) throw new Error(`${dependent}: ${name}@${version} is not exact`);
    const place = found ? `${dependent}/node_modules/${name}` : `node_modules/${name}`;
    packages[place] = { version, ...platformOf(name), ...(dev ? { dev } : {}), optional: true };
    added.push(place);
  }
}
lock.packages = Object.fromEntries(
  Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en')),
);
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${added.map((place) => `added ${place}`).join('\n') || 'nothing to add'}\n`);

/**
 * @param {string} dependent
 * @param {string} name
 * @returns the place of the package that Node would find there, or undefined
 */
function resolve(dependent, name) {
  for (
    let place = dependent;
    ;
    place = place.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, '')
  ) {
    const candidate = `${place}${place && '/'}node_modules/${name}`;
    if (packages[candidate]) return candidate;
    if (place === '') return undefined;
  }
}

/**
 * Reads names such as `@scope/binding-linux-x64-gnu`.
 * @param {string} name
 */
function platformOf(name) {
  const [os, cpu, abi] = name.replace(/^.*\//, '').split('-').slice(1);
  if (os === 'wasm32') return { cpu: [os] };
  if (cpu === undefined) throw new Error(`${name} does not tell its platform`);
  return { cpu: [cpu], ...(abi && LIBC[abi] ? { libc: [LIBC[abi]] } : {}), os: [os] };
}
