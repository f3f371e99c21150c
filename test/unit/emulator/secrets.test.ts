import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { TEST_CARDS } from '../../../src/contract/cards/test-cards.ts';
import { FAULTS } from '../../../src/contract/faults.ts';
import { valuesIn } from '../../helpers/secrets.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';
import { openBench } from './support.ts';

let directory: string;
beforeEach(() => {
  directory = temporaryDirectory();
});

const CVV = '6173';
const filesIn = (path: string) => readdirSync(path).map((name) => join(path, name));

test('no card number and no CVV is in any answer or in any byte of the files', async () => {
  const path = join(directory, 'emulator.db');
  const bench = await openBench('in process', { path });
  const answers: string[] = [];
  const send = async (target: string, body: object, method = 'POST') => {
    const answer = await bench.send(method, target, body);
    answers.push(JSON.stringify(answer.body));
    return answer.body.response;
  };
  const cards = Object.values(TEST_CARDS);
  const numbers = cards.map(({ card_number }) => card_number);
  for (const { card_number, behaviour } of cards) {
    if (!(behaviour in FAULTS)) continue;
    const card = { card_number, card_holder: 'Ann', card_expiry: '05/2031', cvv: CVV };
    // Half of an answer and a page are no JSON.
    await bench.send('POST', '/v1.0/purchases', { ...card, amount: 2500 }).catch(() => undefined);
    await send('/v1.0/credit_cards', card);
  }
  const answered = cards.filter(({ behaviour }) => !(behaviour in FAULTS));
  for (const [index, { card_number }] of answered.entries()) {
    const card = { card_number, card_holder: 'Ann', card_expiry: '05/2031', cvv: CVV };
    const stored = await send('/v1.0/credit_cards', card);
    await send('/v1.0/purchases', { ...card, amount: 2551 });
    const metadata = {
      cvv: CVV,
      card: { card_number },
      pan: Number(card_number),
      [card_number]: 1,
    };
    const billed = await send('/v1.0/purchases', { ...card, amount: 2500, metadata });
    await send('/v1.0/refunds', {
      ...{ transaction_id: billed.id, amount: 1, reference: 'r', metadata },
    });
    await send('/v1.0/purchases', { card_token: stored.token, cvv: CVV, amount: 2551 });
    await send('/v1.0/purchases', { card_token: card_number, amount: 2551 });
    await send('/v1.0/purchases', { ...card, amount: 0 });
    await send('/v1.0/credit_cards', { ...card, card_expiry: '' });
    const customer = {
      first_name: 'Ann',
      reference: `ann-${index} ${card_number}`,
      last_name: card_number,
      email: `${card_number}@example.com`,
      address: { city: card_number.replace(/(?<=^(?:....)+)/g, '.') },
      card: { card_number, expiry_date: '05/2031', cvv: CVV },
      metadata,
    };
    const { id } = await send('/v1.0/customers', customer);
    await send('/v1.0/customers', customer);
    await send(`/v1.0/customers/${id}`, { card: customer.card }, 'PUT');
    await send(`/v1.0/customers/${id}`, { first_name: '', card: customer.card }, 'PUT');
  }
  const digitsOnly = (text: string) => text.replace(/[ .-]/g, '');
  const scan = () => {
    const written = filesIn(directory).map((file) => readFileSync(file, 'latin1'));
    expect(written.join('')).toContain('512345XXXXXX2346');
    for (const text of [...written, ...answers]) {
      for (const number of numbers) expect(digitsOnly(text)).not.toContain(number);
      expect(text).not.toMatch(/"cvv":(?!"\*\*\*")/);
    }
    for (const text of [valuesIn(path), ...answers]) expect(text).not.toContain(CVV);
  };
  expect(filesIn(directory).some((file) => file.endsWith('-wal'))).toBe(true);
  scan();
  await bench.close();
  scan();
});
