/** A rolldown plugin: writes the licenses of the packages that are in the bundle beside it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} fileName
 * @returns {import('rolldown').Plugin}
 */
export function licenses(fileName) {
  return {
    name: 'licenses',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((output) =>
        output.type === 'chunk' ? output.moduleIds : [],
      );
      const folders = new Set(modules.map(packageOf).filter((folder) => folder !== undefined));
      const notices = [...folders].map(notice).sort();
      this.emitFile({ type: 'asset', fileName, source: notices.join(`\n${'-'.repeat(80)}\n\n`) });
    },
  };
}

/**
 * @param {string} id
 * @returns the folder of the package that a module belongs to
 */
function packageOf(id) {
  const folder = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0];
  return folder && existsSync(join(folder, 'package.json')) ? folder : undefined;
}

/**
 * @param {string} folder
 * @returns the notice of a package, which its licence wants to be passed on
 * @throws Error if the package has no text of its licence
 */
function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const text = licenceOf(folder);
  if (!text) throw new Error(`${name} ${version} has no text of its licence`);
  // Notices of parts that are compiled into a package, which the package does not name.
  const within = join('scripts/notices', `${name}.txt`);
  const more = existsSync(within) ? `\n${readFileSync(within, 'utf8')}` : '';
  return `${name} ${version}: ${license ?? 'see below'}\n\n${text}\n${more}`;
}

/**
 * @param {string} folder of a package
 * @returns {string | undefined} the text of its licence: a file, or the last section of its README
 */
function licenceOf(folder) {
  const files = readdirSync(folder).sort();
  const read = (/** @type {RegExp} */ name) => {
    const file = files.find((entry) => name.test(entry));
    return file && readFileSync(join(folder, file), 'utf8').trim();
  };
  return (
    read(/^licen[cs]e/i) ??
    read(/^readme/i)
      ?.split(/^#+ *licen[cs]e *$/im)[1]
      ?.trim()
  );
}
