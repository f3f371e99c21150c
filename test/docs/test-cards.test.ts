/** The test cards and the faults in the documents are those of the test gateway. `npm run docs` writes them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { FAULTS } from '../../src/contract/faults.ts';
import { listTestCards } from '../../src/emulator/resources/cards.ts';
import { answersTo } from '../../src/emulator/rules/acquirer.ts';
import { table, withPart } from './reference.ts';

const FILE = 'docs/test-gateway.md';
const CARDS = { source: 'src/contract/cards/test-cards.ts', content: cards };
const TROUBLE = { source: 'src/contract/faults.ts', content: faults };
const CODES = { source: 'src/emulator/rules/acquirer.ts', content: codes };

test(`the test cards in ${FILE} are fresh; \`npm run docs\` writes them`, async () => {
  const fresh = [CARDS, CODES, TROUBLE].reduce(
    (text, { source, content }) => withPart(text, source, content()),
    readFileSync(FILE, 'utf8'),
  );
  await expect(fresh).toMatchFileSnapshot(path.resolve(FILE));
});

function cards(): string {
  const rows = listTestCards().map(({ name, card_number, card_type, description }) => [
    `\`${name}\``,
    `\`${card_number}\``,
    card_type,
    description.replace(/:.*$/, ''),
  ]);
  return table(['`--test-card`', 'number', 'scheme', 'a charge is answered'], rows);
}

/** test/system/trouble.test.ts runs each. */
const EXITS: Readonly<Record<keyof typeof FAULTS, number>> = {
  429: 6,
  500: 8,
  unreachable: 7,
  timeout: 8,
  'reset-before': 8,
  'reset-after': 8,
  html: 8,
  truncated: 8,
  'slow=3s': 0,
};

function faults(): string {
  const cards = listTestCards();
  const rows = Object.entries(FAULTS).map(([kind, { does }]) => [
    `\`${kind}\``,
    does,
    String(EXITS[kind as keyof typeof FAULTS]),
    cards.find(({ behaviour }) => behaviour === kind)?.name.replace(/.*/, '`$&`') ?? '',
  ]);
  return table(
    [
      '`--test-fault`, `X-Gw-Fault`',
      'a request is',
      'a payment ends with exit code',
      '`--test-card`',
    ],
    rows,
  );
}

function codes(): string {
  const rows = answersTo('by-amount').map(({ codes, successful, message }) => [
    codes.join(', ') || 'anything else',
    successful ? 'approved' : 'declined',
    `\`${message}\``,
  ]);
  return table(['the amount ends in', 'the charge is', 'message'], rows);
}
