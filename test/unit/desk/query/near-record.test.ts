/** A part of a name is offered the records whose names have it. */
import { expect, test } from 'vitest';
import { pickNear } from '../../../../src/desk/query/near-record.ts';
import type { Ledger } from '../../../../src/journal/ledger.ts';
import type { Thing } from '../../../../src/things/thing.ts';
import type { OutputOptions } from '../../../../src/view/print-records.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { thing } from '../known-things.ts';

const KAI = thing({ kind: 'customer', id: '071-C-1', who: 'Kai Ho' });
const KAISER = thing({ kind: 'customer', id: '071-C-2', email: 'ute.kaiser@example.com' });
const PART_OF_ID = thing({ kind: 'purchase', id: '071-P-J4C4KAIB', who: 'Kwame Mensah' });

async function offered(text: string, found: Thing[]): Promise<string> {
  const host = createTestHost();
  const ledger = { things: { search: async () => found } } as unknown as Ledger;
  const us = { profile: undefined, of: undefined };
  const picked = pickNear({ host, ledger, us, scope: undefined, mayAsk: false }, text);
  return picked.then(
    () => '',
    (error: Error) => error.message,
  );
}

test('the only one that is near is told of where a reader sees it, and given to no program', async () => {
  const host = createTestHost();
  const ledger = { things: { search: async () => [KAI] } } as unknown as Ledger;
  const us = { profile: undefined, of: undefined };
  const near = (given: object) => {
    const tells = given as OutputOptions;
    return pickNear({ host, ledger, us, scope: undefined, mayAsk: false, tells }, 'kai');
  };
  expect(await near({})).toMatchObject({ kind: 'customer', id: KAI.id });
  for (const tells of [{ format: 'id' }, { jq: '.name' }, { fields: ['name'] }])
    expect((await failureOf(() => near(tells))).code).toBe('name-ambiguous');
});

test('those of whose names it begins a word come without those of whose ids it is a part', async () => {
  const message = await offered('kai', [PART_OF_ID, KAI, KAISER]);
  expect(message).toMatch(/Near it: customer 071-C-1 .*; customer 071-C-2 .*\.$/);
  expect(message).not.toContain('J4C4KAIB');
});

test('a part of an id is offered if it is in no name', async () => {
  expect(await offered('j4c4', [PART_OF_ID])).toContain('purchase 071-P-J4C4KAIB');
});
