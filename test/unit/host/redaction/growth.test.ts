/**
 * The time for reading foreign texts grows as they do: a text four times as long takes about four times the
 * time, and not sixteen. Each pattern is held to that (`test/unit/patterns.test.ts`); here it is what is done
 * with several of them, one after the other, and with loops. Compared is processor time, with itself.
 */
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { repeatsField } from '../../../../src/base/json.ts';
import { readJson } from '../../../../src/base/json-text.ts';
import {
  maskCardNumbers,
  maskKnownNumbers,
} from '../../../../src/contract/cards/find-card-numbers.ts';
import { readDelivery } from '../../../../src/events/read/read-delivery.ts';
import { excerpt } from '../../../../src/host/redaction/excerpt.ts';
import { redactHeader, redactText } from '../../../../src/host/redaction/redact.ts';
import { Redactor } from '../../../../src/host/redaction/redactor.ts';
import { escapeHidden, neutralise } from '../../../../src/host/redaction/safe.ts';

const CARD = '5123456789012346';

/** A text is made of one of them again and again: the beginnings of what is looked for, and of what may end it. */
const PIECES = [
  ...['4', '4 ', '4-', '4.', '4111 ', `${CARD} `, `${CARD},`, CARD, `${CARD}-`, 'a4', 'e4', '<'],
  ...['%25', '&amp;', '\\', '\\"'],
  ...['eyJ-', 'eyJa.', 'eyJ-eyJa.b', 'Bearer a', 'token=', 'cvv', 'cvv="', 'secret : ', '://'],
  ...[
    '<script',
    '<script>',
    '</style>',
    '<!--',
    '-----BEGIN PRIVATE KEY-----',
    ' ',
    '"',
    '\n',
    '{"a":',
  ],
  ...['bWVyY2', '6d657263', 'merchant:'],
];

const redactor = new Redactor();
redactor.addCredentials('merchant', 'mmmmmmmmmmmmmmmm');
redactor.addCardNumber('4444444444444444');

const FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  'masking card numbers': (text) => [
    maskCardNumbers(text),
    maskKnownNumbers(text, new Set([CARD])),
  ],
  'redacting a text': (text) => redactText(text, 'foreign'),
  'redacting a header': (text) => redactHeader('X-Note', text),
  'the excerpt of a page': excerpt,
  'the excerpt of JSON': (text) => excerpt(JSON.stringify([text])),
  'the secrets of a run': (text) => redactor.scrub(text),
  'neutralising a text': (text) => [neutralise(text), escapeHidden(text)],
  'reading JSON': (text) => [readJson(text), readJson(JSON.stringify(text))],
  'counting fields': (text) => [repeatsField(text), repeatsField(JSON.stringify([text]))],
  'reading a delivery': (text) => readDelivery(Buffer.from(JSON.stringify({ event: text }))),
};

/**
 * At the first size all of them are compared, and at the second the one that took longest. Memory for a longer text may
 * cost once what it did not cost before, so a growth at the second size has to show at the third as well.
 */
const SIZES = [65_536, 1_048_576, 4_194_304] as const;
/** Four where it grows as the text does, sixteen where it is quadratic. */
const MAX_GROWTH = 8;
/** Less than this is nothing to compare. */
const LEAST_MICROSECONDS = 20_000;

/** @returns microseconds of the processor. @throws Error after half a minute, in the midst of a pattern too */
function timeOf(work: () => unknown): number {
  const before = process.cpuUsage();
  // Ends what the time limit of a test cannot: work that leaves the loop no turn.
  runInNewContext('work()', { work }, { timeout: 30_000 });
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/**
 * @param length of the longer text; the other has a fourth of it
 * @returns how much longer the longer text took, the least of three, since a machine has other things to do
 */
function growthOf(read: (text: string) => unknown, piece: string, length: number) {
  const [shorter, longer] = [length / 4, length].map((units) => piece.repeat(units / piece.length));
  let growth = Number.POSITIVE_INFINITY;
  let time = 0;
  for (let attempt = 0; attempt < 3 && growth > MAX_GROWTH; attempt++) {
    const before = timeOf(() => read(shorter ?? ''));
    time = timeOf(() => read(longer ?? ''));
    growth = time < LEAST_MICROSECONDS ? 0 : Math.min(growth, time / before);
  }
  return { piece, growth, time };
}

test.each(Object.entries(FUNCTIONS))('%s takes linear time', (_, read) => {
  const found = PIECES.map((piece) => growthOf(read, piece, SIZES[0]));
  expect(found.filter(({ growth }) => growth > MAX_GROWTH)).toEqual([]);
  const worst = found.reduce((one, other) => (other.time > one.time ? other : one));
  const { growth } = growthOf(read, worst.piece, SIZES[1]);
  if (growth > MAX_GROWTH)
    expect(growthOf(read, worst.piece, SIZES[2]).growth, worst.piece).toBeLessThan(MAX_GROWTH);
});

test('the test finds a quadratic pattern', () => {
  const quadratic = (text: string) => /\beyJ[\w-]+(?:\.[\w-]*){2,4}/g.test(text);
  // A pause of the machine makes either time longer, and none shorter.
  const leastOf = (length: number) =>
    Math.min(...[1, 2, 3].map(() => timeOf(() => quadratic('eyJ-'.repeat(length / 4)))));
  expect(leastOf(SIZES[0]) / leastOf(SIZES[0] / 4)).toBeGreaterThan(MAX_GROWTH);
});
