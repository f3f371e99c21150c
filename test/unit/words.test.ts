/** The words of the program: that every text for people is found, and that what was mended stays so. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { textsOf } from '../../scripts/texts.mjs';

/** What no text says, and what it says in its place. */
const MENDED: readonly { what: RegExp; instead: string }[] = [
  { what: /\boftener\b/i, instead: 'more often' },
  {
    what: /(?<!There )\bis no (?:length|place|answer|record|database|ledger|JSON|HTTP)\b/,
    instead: 'is not a …',
  },
  { what: /\bsmall letters\b/, instead: 'lowercase letters' },
  { what: /\bof earlier\b/, instead: 'earlier events' },
  { what: /\bis to be (?:a|an) \$/, instead: 'who does it: You are storing a …' },
  { what: /\bnothing follows from that\b/i, instead: 'This does not settle it.' },
  { what: /\bis waited for\b/, instead: 'Waiting for …' },
  { what: /\b(?:becomes|became) of\b/, instead: 'its outcome, how it ended, what happened to it' },
  { what: /\b(?:nobody is here|there is nobody) to\b/i, instead: 'gw cannot ask you here' },
  { what: /\bwhere there (?:is|are) (?:one|any)\b/, instead: 'optionally, …' },
  { what: /\bleave one of them out\b/i, instead: 'the names of what to leave out' },
  { what: /\bwhen left out\b/i, instead: 'if omitted' },
  { what: /\banew\b/, instead: 'again' },
  { what: /\ball that is (?:seen|sent|kept|said)\b/, instead: 'everything …' },
  { what: /\bof theirs\b/, instead: 'of the person' },
  { what: /\bwhat is done comes to\b/i, instead: 'Total done: …' },
  { what: /\bform \$\{/, instead: 'format, of a ledger' },
  { what: /\bhas a fresh start\b/, instead: 'Reset …' },
  { what: /\b(?:is|are) passed over\b/, instead: 'is ignored' },
  { what: /\bnames it\.$/, instead: 'from …' },
  {
    what: /(?<![\d,.}-])\b1 (?:events|lines|records|requests|rows|entries|outcomes|seconds|days)\b/,
    instead: 'plural(…)',
  },
];

const read = (name: string): string => readFileSync(name, 'utf8');
const topics: Record<string, { description: string }> = JSON.parse(read('package.json')).oclif
  .topics;
const texts = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((name) => `src/${name.replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) =>
    textsOf(read(name)).map(({ line, text }) => ({ place: `${name}:${line}`, text })),
  )
  .concat(Object.entries(topics).map(([place, { description }]) => ({ place, text: description })));

function faultsOf(found: readonly { place: string; text: string }[]): string[] {
  return found.flatMap(({ place, text }) =>
    MENDED.filter(({ what }) => what.test(text)).map(
      ({ instead }) => `${place}: ${text} (write: ${instead})`,
    ),
  );
}

test('no text has a word or a turn of phrase that was mended', () => {
  expect(texts.length).toBeGreaterThan(1500);
  expect(faultsOf(texts)).toEqual([]);
});

test.each([
  ['Oftener than this.'],
  ['Take 1 events.'],
  ['"x" is no length of time.'],
  ['See what became of the refund.'],
  ['Nobody is here to confirm it.'],
])('the rule of words finds %j', (text) => {
  expect(faultsOf([{ place: 'x.ts:1', text }])).toHaveLength(1);
});

test.each([
  ["f('No card given.')", 'No card given.'],
  [`f(\`\${n} events\`)`, `\${n} events`],
  ["f('No card ' +\n 'given.')", 'No card given.'],
  ["const a = { header: 'card' }", 'card'],
  ["const a = { next: isLive ? 'Stop it.' : 'Go' + ' on.' }", 'Stop it.', 'Go on.'],
])('of %s the texts are found', (code, ...expected) => {
  expect(textsOf(code).map(({ text }) => text)).toEqual(expected);
});

test.each([
  "import a from 'a b'",
  "type A = 'a card'",
  "const a = { 'a card': 1 }",
  "const a = { code: 'no-card' }",
  "query('SELECT id FROM events')",
  "const a = ['gw purchase get 071']",
])('of %s nothing is taken for a text', (code) => {
  expect(textsOf(code)).toEqual([]);
});

test('a text is at the line where it begins', () => {
  expect(textsOf("\n\nf(\n  'No card given.')")).toEqual([{ line: 4, text: 'No card given.' }]);
});
