/**
 * The scan: whatever gw writes during the tests holds no card number and no API token that a test uses.
 * Outputs are scanned where programs are run (run.ts), files before a test's directory is removed
 * (temporary.ts), and what nobody removed at the end of the run (run-root.ts).
 *
 * A file is gw's when it is a database, or a log of one, or in a folder called `gw`; other files in a
 * test's directory are what the test itself wrote.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { hasIssuer } from '../../src/contract/cards/card-number.ts';
import { TEST_CARDS } from '../../src/contract/cards/test-cards.ts';
import { filesBelow, findSecrets, type Secret, secretsIn } from './secrets.ts';

/** The folders whose tests run the program. */
const SOURCES = [
  ...['test/clients', 'test/hostile', 'test/system', 'test/scripts', 'test/docs'],
  'test/helpers',
];

const PUBLISHED: ReadonlySet<string> = new Set(
  Object.values(TEST_CARDS).map((card) => card.card_number),
);

let known: readonly Secret[] | undefined;

/** @returns the card numbers and tokens that tests give to gw */
function secretsOfTests(): readonly Secret[] {
  known ??= secretsIn(
    [
      ...SOURCES.filter((folder) => existsSync(folder)).flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' })
          .filter((name) => /\.(?:ts|script)$/.test(name))
          .map((name) => readFileSync(path.join(folder, name), 'utf8')),
      ),
      ...Object.values(TEST_CARDS).map((card) => card.card_number),
    ].join('\n'),
  ).filter(({ forms: [form = ''] }) => !/^\d+$/.test(form) || hasIssuer(form));
  return known;
}

/**
 * @param hasTestCards true for what `gw emulator cards` prints, which is their numbers
 * @throws Error that names what is found, without giving it away
 */
export function scanOutput(text: string, place: string, { hasTestCards = false } = {}): void {
  const secrets = hasTestCards
    ? secretsOfTests().filter(({ forms: [form = ''] }) => !PUBLISHED.has(form))
    : secretsOfTests();
  const found = findSecrets(text, secrets, { hasCvvs: false });
  if (found.length > 0) throw new Error(`${place} holds ${found.join(', ')}`);
}

/** @throws as `scanOutput`, for the files of gw in a folder and below */
export function scanFolder(folder: string): void {
  const found = [...filesBelow(folder)]
    .filter(({ place, text }) => isOfGw(path.relative(folder, place), text))
    .flatMap(({ place, text }) => {
      const names = findSecrets(text, secretsOfTests(), { hasCvvs: false });
      return names.length > 0 ? [`${place} holds ${names.join(', ')}`] : [];
    });
  if (found.length > 0) throw new Error(found.join('\n'));
}

function isOfGw(place: string, bytes: Buffer): boolean {
  // The program itself, compiled, has the numbers of the test cards.
  if (place.includes('/gw/compiled/')) return false;
  return (
    place.split(path.sep).slice(0, -1).includes('gw') ||
    /-(?:wal|shm|journal)$/.test(place) ||
    bytes.subarray(0, 15).toString('latin1') === 'SQLite format 3'
  );
}
