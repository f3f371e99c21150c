/** package-lock.json: `npm ci` takes it, on every platform and whatever the registry has. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Entry {
  version?: string;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
  hasInstallScript?: boolean;
}

const EXACT = /^\d+\.\d+\.\d+/;

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, Entry>;
};

test('package-lock.json has the packages of other platforms', () => {
  const missing = Object.entries(packages).flatMap(([dependent, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, wanted]) => {
        const version = nearest(dependent, name)?.version;
        return version === undefined || (EXACT.test(wanted) && version !== wanted);
      })
      .map(([name, wanted]) => `${name}@${wanted} of ${dependent}`),
  );
  expect(missing, '`node scripts/complete-lock.mjs` adds them').toEqual([]);
});

test('package-lock.json names no registry', () => {
  const named = Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined);
  expect(named.map(([name]) => name)).toEqual([]);
});

test('the native packages need no install script', () => {
  const scripted = Object.entries(packages).filter(([, entry]) => entry.hasInstallScript);
  const { allowScripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const names = scripted.map(([place]) => place.replace(/^.*node_modules\//, ''));
  const known = names.filter((name) => name !== 'fsevents');
  expect(known.sort()).toEqual(['@photostructure/sqlite', '@swc/core', 'keytar']);
  expect(allowScripts).toEqual({
    '@github/keytar': false,
    '@photostructure/sqlite': false,
    '@swc/core': false,
  });
});

/** @returns the package that Node finds from the place of its dependent */
function nearest(dependent: string, name: string): Entry | undefined {
  const folders = dependent === '' ? [] : dependent.split(/(?<=[^/])\/(?=node_modules\/)/);
  const places = Array.from({ length: folders.length + 1 }, (_, depth) =>
    [...folders.slice(0, folders.length - depth), `node_modules/${name}`].join('/'),
  );
  return places.map((place) => packages[place]).find((entry) => entry !== undefined);
}
