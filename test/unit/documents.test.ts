/** Documents and comments refer only to files, headings and sections that exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { MAX_AMOUNT } from '../../src/contract/money.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { FREQUENCIES } from '../../src/contract/resources/subscription.ts';

const DOCUMENTS = [
  ...filesIn('docs', '.md'),
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
];
const SOURCES = filesIn('src', '.ts');
const INTERFACE = 'docs/interface.md';
const DECISIONS = 'docs/interface-decisions.md';

describe('the documents', () => {
  test('are found by this test', () => {
    expect(DOCUMENTS).toEqual(
      expect.arrayContaining(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', INTERFACE]),
    );
  });

  test.each(DOCUMENTS)('%s links only to files and headings that exist', (file) => {
    expect(brokenLinks(file, readFileSync(file, 'utf8'))).toEqual([]);
  });
});

test('ARCHITECTURE.md names only files and folders that exist', () => {
  const text = readFileSync('ARCHITECTURE.md', 'utf8');
  const named = [...text.matchAll(/`([\w./-]+(?:\.ts|\/))`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(50);
  const isThere = (name: string) =>
    existsSync(name) ||
    SOURCES.some((file) =>
      name.endsWith('/') ? file.includes(`/${name}`) : file.endsWith(`/${name}`),
    );
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});

describe('the check of links', () => {
  test.each([
    ['a file that is not there', '[x](no-such-file.md)'],
    ['a heading that is not there', '[x](#no-such-heading)'],
    ['a heading that another file lacks', '[x](interface.md#no-such-heading)'],
    ['a folder above the repository', '[x](../../outside.md)'],
  ])('reports %s', (_what, text) => {
    expect(brokenLinks('docs/README.md', text)).toHaveLength(1);
  });

  test.each([
    ['a file', '[x](interface.md)'],
    ['a heading', '# A, b & `c`\n[x](#a-b--c)'],
    ['the second of two headings of one name', '# A\n# A\n[x](#a-1)'],
    ["another file's heading", '[x](interface.md#21-the-envelope)'],
    ['a place on the web', '[x](https://example.com/#x)'],
    ['an example in code', '`[x](y)`\n```\n[x](z)\n# [x](z)\n```'],
  ])('accepts %s', (_what, text) => {
    expect(brokenLinks('docs/README.md', text)).toEqual([]);
  });
});

describe(INTERFACE, () => {
  const text = readFileSync(INTERFACE, 'utf8');
  const sections = [...text.matchAll(/^#+ (\d(?:\.\d)?)\.? /gm)].map(([, number]) => number);

  test('lists the endpoints of the contract, in the same order', () => {
    const rows = [...text.matchAll(/^\| (\d+) \| `(\w+) (\S+)`/gm)];
    expect(rows.map(([, ...row]) => row)).toEqual(
      OPERATIONS.map(({ method, path }, n) => [String(n + 1), method, path]),
    );
  });

  test('has every section that comments in src name', () => {
    const named = SOURCES.flatMap((file) =>
      sectionsIn(readFileSync(file, 'utf8')).map((number) => ({ file, number })),
    );
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter(({ number }) => !sections.includes(number))).toEqual([]);
  });
});

describe(DECISIONS, () => {
  const text = readFileSync(DECISIONS, 'utf8');
  const interfaceText = readFileSync(INTERFACE, 'utf8');
  const headings = (page: string) => [...page.matchAll(/^#+ (\d.*)$/gm)].map(([, title]) => title);

  test('has sections with the names and order of the interface', () => {
    const own = headings(text);
    expect(own.length).toBeGreaterThan(10);
    expect(headings(interfaceText).filter((title) => own.includes(title))).toEqual(own);
  });

  test('has each section that the interface links to', () => {
    const sections = interfaceText
      .split(/^(?=#+ )/m)
      .filter((section) => section.includes('**Left open:**'));
    expect(sections.length).toBeGreaterThan(10);
    for (const section of sections) {
      const [anchor] = anchorsOf(section);
      expect(section).toContain(`interface-decisions.md#${anchor})`);
    }
  });

  test('gives the limits and frequencies of the code', () => {
    expect(text).toContain(`from 1 to ${MAX_AMOUNT.toLocaleString('en')}.`);
    expect(text).toContain(`\`Amount is above ${MAX_AMOUNT}\``);
    const frequencies = /^- \*\*Frequencies:\*\*.*?\. /ms.exec(text)?.[0] ?? '';
    expect([...frequencies.matchAll(/`([^`]+)`/g)].map(([, name]) => name)).toEqual(FREQUENCIES);
  });
});

test('finds sections in every form in which a comment names them', () => {
  expect(
    sectionsIn('(section 2.1) (sections 2.3 to 2.7) sections 3.2, 6 and 8. /** Section 5. */'),
  ).toEqual([...['2.1', '2.3', '2.7', '3.2', '6', '8', '5']]);
});

describe('a comment in src', () => {
  const comments = SOURCES.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\/\*.*?\*\/|(?<!:)\/\/[^\n]*/gs)].map(([text]) => ({
      file,
      text,
    })),
  );

  test('refers only to documents of the repository', () => {
    expect(
      comments.filter(({ text }) => /\bdesign\b/i.test(text) && /\bsection\b/.test(text)),
    ).toEqual([]);
  });

  test('names files by their path, or files beside it', () => {
    const named = comments.flatMap(({ file, text }) =>
      [...text.matchAll(/[\w./-]+\.(?:ts|mjs)\b/g)].map(([name]) => ({ file, name })),
    );
    expect(named.length).toBeGreaterThan(20);
    const places = (file: string, name: string) => [
      `${path.dirname(file)}/${name}`,
      `src/${name}`,
      name,
    ];
    expect(
      named.filter(({ file, name }) => !places(file, name).some((place) => existsSync(place))),
    ).toEqual([]);
  });
});

function filesIn(folder: string, end: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
}

/** @returns the targets of links that lead nowhere */
function brokenLinks(file: string, text: string): string[] {
  const prose = withoutCode(text).replace(/`[^`\n]*`/g, '');
  const targets = [...prose.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target);
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [name = '', anchor] = target.split('#');
    const to = name === '' ? file : path.posix.join(path.posix.dirname(file), name);
    if (to.startsWith('../') || !existsSync(to)) return true;
    if (anchor === undefined) return false;
    return !anchorsOf(to === file ? text : readFileSync(to, 'utf8')).has(anchor);
  });
}

/** @returns the anchors that GitHub gives to the headings of a page */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutCode(text).matchAll(/^#+ (.+)$/gm)) {
    const name = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    let n = 0;
    while (anchors.has(n === 0 ? name : `${name}-${n}`)) n++;
    anchors.add(n === 0 ? name : `${name}-${n}`);
  }
  return anchors;
}

const withoutCode = (text: string) => text.replace(/^```.*?^```/gms, '');

/** @returns the numbers after each "section" or "sections" of a text */
function sectionsIn(text: string): string[] {
  const number = String.raw`\d(?:\.\d)?`;
  const list = new RegExp(String.raw`\bsections? (${number}(?:(?:, | and | to )${number})*)`, 'gi');
  return [...text.matchAll(list)].flatMap(([, found = '']) => found.match(/\d(?:\.\d)?/g) ?? []);
}
