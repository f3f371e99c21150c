/** The test cards in the documents are those of the test gateway. `npm run docs` writes them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { listTestCards } from '../../src/emulator/resources/cards.ts';
import { answersTo } from '../../src/emulator/rules/acquirer.ts';
import { table, withPart } from './reference.ts';

const FILE = 'docs/test-gateway.md';
const CARDS = { source: 'src/contract/cards/test-cards.ts', content: cards };
const CODES = { source: 'src/emulator/rules/acquirer.ts', content: codes };

test(`the test cards in ${FILE} are fresh; \`npm run docs\` writes them`, async () => {
  const fresh = [CARDS, CODES].reduce(
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

function codes(): string {
  const rows = answersTo('by-amount').map(({ codes, successful, message }) => [
    codes.join(', ') || 'anything else',
    successful ? 'approved' : 'declined',
    `\`${message}\``,
  ]);
  return table(['the amount ends in', 'the charge is', 'message'], rows);
}
