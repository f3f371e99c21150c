/** The packages that gw uses: their licences, their digests, and the reasons for them. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

interface Locked {
  version: string;
  license?: string;
  integrity?: string;
  optional?: boolean;
  dev?: boolean;
  os?: string[];
  cpu?: string[];
}

interface Package {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

/** Licences that allow distribution without source if their text is included, and a phrase of that text. */
const LICENCES: Readonly<Record<string, RegExp>> = {
  '0BSD': /Permission to use, copy, modify/,
  'Apache-2.0': /TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION/,
  'BSD-2-Clause': /Redistribution and use in source and binary forms/,
  'BSD-3-Clause': /Redistribution and use in source and binary forms/,
  'BlueOak-1.0.0': /Blue Oak Model License/,
  'CC0-1.0': /CC0 1\.0 Universal/,
  ISC: /Permission to use, copy, modify/,
  MIT: /Permission is hereby granted, free of charge/,
};

const own = JSON.parse(readFileSync('package.json', 'utf8')) as Package;
const installed = { ...own.dependencies, ...own.optionalDependencies };
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, Locked>;
};
const locked = Object.entries(packages).filter(([place]) => place !== '');
const nameOf = (place: string) => place.replace(/^.*node_modules\//, '');

/** @returns the licences that an expression gives a choice of */
function choicesOf(expression: string | undefined): string[] {
  return (expression ?? '').replace(/^\((.*)\)$/, '$1').split(' OR ');
}

function mayBeUsed(expression: string | undefined): boolean {
  return choicesOf(expression).some((licence) => Object.hasOwn(LICENCES, licence));
}

/** Packages that are part of `dist`, with their versions and the texts of their licences, by its notices. */
const builtIn = ['', '-MCP']
  .map((of) => readFileSync(`dist/THIRD-PARTY-LICENSES${of}.txt`, 'utf8'))
  .join('\n')
  .split(`\n${'-'.repeat(80)}\n\n`)
  .map((notice) => {
    const [, name = '', version = '', licence = '', text = ''] =
      /^(@?[\w./-]+) (\d+\.\d+\.\d+\S*): ([^\n]+)\n(.*)$/s.exec(notice) ?? [];
    return { name, version, licence, text };
  });

describe('licences', () => {
  test('every package that is installed with gw has an allowed licence', () => {
    const others = locked.filter(([, { dev, license }]) => !dev && !mayBeUsed(license));
    expect(others.map(([place, { license }]) => `${place}: ${license}`)).toEqual([]);
  });

  test('every package that is built into gw has an allowed licence', () => {
    expect(builtIn.length).toBeGreaterThan(20);
    expect(builtIn.filter(({ licence }) => !mayBeUsed(licence))).toEqual([]);
  });

  test('the text of the licence of every package that is built into gw is with it', () => {
    const bare = builtIn.filter(
      ({ licence, text }) => !choicesOf(licence).some((choice) => LICENCES[choice]?.test(text)),
    );
    expect(bare.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([]);
  });

  test('the built-in packages are the locked ones', () => {
    const known = new Set(locked.map(([place, { version }]) => `${nameOf(place)} ${version}`));
    const others = builtIn.filter(({ name, version }) => !known.has(`${name} ${version}`));
    expect(others, 'dist is older than package-lock.json: `npm run build`').toEqual([]);
  });

  test.each([
    ['MIT', true],
    ['(MIT OR CC0-1.0)', true],
    ['GPL-3.0-only OR MIT', true],
    ['GPL-3.0-only', false],
    ['MIT AND GPL-3.0-only', false],
    ['SEE LICENSE IN LICENSE', false],
    [undefined, false],
  ])('a package under %s may be used: %s', (expression, expected) => {
    expect(mayBeUsed(expression)).toBe(expected);
  });
});

describe('package-lock.json', () => {
  test('every package has a digest, except those of other platforms', () => {
    const bare = locked.filter(
      ([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''),
    );
    const needed = bare.filter(([, { optional, os, cpu }]) => !(optional && (os || cpu)));
    expect(needed.map(([place]) => place)).toEqual([]);
  });

  test('gw names exact versions', () => {
    const loose = Object.entries({ ...installed, ...own.devDependencies }).filter(
      ([, version]) => !/^(?:npm:@?[\w./-]+@)?\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(version),
    );
    expect(loose).toEqual([]);
  });

  test('gw runs nothing when it is installed', () => {
    const names = ['preinstall', 'install', 'postinstall'];
    expect(names.filter((name) => name in own.scripts)).toEqual([]);
  });
});

describe('docs/technical-decisions.md', () => {
  const page = readFileSync('docs/technical-decisions.md', 'utf8');
  const [, section = ''] = page.split('\n### Packages\n');
  const rows = [
    ...(section.split('\n## ')[0] ?? '').matchAll(/^\| (`[^|]+) \| ([^|]+) \| ([^|]+) \|$/gm),
  ];
  const listed = rows.flatMap(([, names = '', where = '', why = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({ name, where, why: why.trim() })),
  );

  test('it has a line for each dependency', () => {
    const expected = Object.keys({ ...installed, ...own.devDependencies });
    expect(listed.map(({ name }) => name).sort()).toEqual(expected.sort());
    expect(listed.filter(({ why }) => why === '')).toEqual([]);
  });

  test('it says where each dependency is used', () => {
    const whereIs = (name: string) => {
      if (name in installed) return 'installed';
      return builtIn.some((part) => part.name === name) ? 'built in' : 'development';
    };
    const wrong = listed.filter(({ name, where }) => where.trim() !== whereIs(name));
    expect(wrong).toEqual([]);
  });
});
