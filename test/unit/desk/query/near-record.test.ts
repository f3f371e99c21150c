/** A part of a name is offered the records whose names have it. */
import { expect, test } from 'vitest';
import { pickNamed, pickNear } from '../../../../src/desk/query/near-record.ts';
import type { Failure } from '../../../../src/failure.ts';
import type { Ledger } from '../../../../src/journal/ledger.ts';
import { TO_LOOK_UP } from '../../../../src/requests/known/resolve-name.ts';
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
  const picked = pickNear(
    { host, ledger, us, scope: undefined, mayAsk: false, words: ['get'] },
    text,
  );
  return picked.then(
    () => '',
    ({ message, next }: Failure) => `${message} ${next}`,
  );
}

test('the only one that is near is told of where a reader sees it, and given to no program', async () => {
  const host = createTestHost();
  const ledger = { things: { search: async () => [KAI] } } as unknown as Ledger;
  const us = { profile: undefined, of: undefined };
  const near = (given: object) => {
    const tells = given as OutputOptions;
    const desk = { host, ledger, us, scope: undefined, mayAsk: false, words: ['get'], tells };
    return pickNear(desk, 'kai');
  };
  expect(await near({})).toMatchObject({ kind: 'customer', id: KAI.id });
  for (const tells of [{ format: 'id' }, { jq: '.name' }, { fields: ['name'] }])
    expect((await failureOf(() => near(tells))).code).toBe('name-ambiguous');
});

test('an email with another name in it is offered whoever is near, and only one with a wrong letter is shown', async () => {
  const host = createTestHost({ answers: ['customer 071-c-2'] });
  const ledger = { things: { search: async () => [KAISER] } } as unknown as Ledger;
  const baseUrl = new URL('https://a.example');
  const us = { profile: undefined, of: { name: 'shop', environment: 'sandbox', baseUrl } } as const;
  const asking = { scope: undefined, words: ['history'], tells: {} as OutputOptions };
  const near = (text: string, mayAsk = false) =>
    pickNear({ host, ledger, us, ...asking, mayAsk }, text);
  for (const text of ['kaiser@example.com', 'ute@example.com', 'ute.kaiser@example.com.au'])
    expect(await failureOf(() => near(text))).toMatchObject({
      kind: 'usage',
      next: 'Give the one that you mean: `gw history 071-C-2 -p shop` (ute.kaiser@example.com).',
    });
  expect(await near('kaiser@example.com', true)).toMatchObject({ id: KAISER.id });
  for (const text of [
    'ute.kaiser@exmaple.com',
    'mailto:ute.kaiser@example.com',
    'Ute.Kaisr@example.com',
  ])
    expect(await near(text)).toMatchObject({ id: KAISER.id });
});

test('those of whose names it begins a word come without those of whose ids it is a part', async () => {
  const message = await offered('kai', [PART_OF_ID, KAI, KAISER]);
  expect(message).toMatch(
    /Give the one that you mean: `gw get 071-C-1` .*; `gw get 071-C-2` .*\.$/,
  );
  expect(message).not.toContain('J4C4KAIB');
});

test('a part of an id is offered if it is in no name', async () => {
  expect(await offered('j4c4', [PART_OF_ID])).toContain('`gw get 071-P-J4C4KAIB`');
});

test('the last four digits of cards come before a reference that ends in them, and no event is meant', async () => {
  const own = thing({ kind: 'customer', id: '071-C-3', who: 'Mei Wu', reference: 'C-1111' });
  const holder = thing({ kind: 'customer', id: '071-C-4', who: 'Li Na', lastFour: '1111' });
  const other = thing({ kind: 'customer', id: '071-C-5', who: 'Bo Li', lastFour: '1111' });
  expect(await offered('1111', [own, holder, other])).toMatch(
    /whole name\. Give the one that you mean: `gw get 071-C-4` .*; `gw get 071-C-5` .*; `gw get 071-C-3` /,
  );
  expect(await offered('1111', [holder, other])).toContain('are the last digits of a card.');
});

test('two subscriptions of one person are told apart, and one that has an end is not just active', async () => {
  const of = { kind: 'subscription', who: 'Kai Ho', outcome: 'active', currency: 'AUD' } as const;
  const weekly = thing({ ...of, id: '071-S-1', subscription: 'SUB-1', amount: 700 });
  const ends = { endsOn: '2999-01-31', lastFour: '4242' };
  const other = thing({ ...of, id: '071-S-2', subscription: 'SUB-2', amount: 1490, ...ends });
  expect(await offered('kai', [weekly, other])).toContain(
    '`gw get SUB-1` (Kai Ho, 7.00 AUD, active); `gw get SUB-2` (Kai Ho, 14.90 AUD, ending in 4242, active until 2999-01-31)',
  );
});

test('a number that nothing else has is that of an event, and is said to be', async () => {
  const host = createTestHost();
  const charge = thing({ kind: 'purchase', id: '071-P-7', profile: 'local' });
  const known = { known: async () => [], search: async () => [], tied: async () => [charge] };
  const ledger = { things: known } as unknown as Ledger;
  const scope = { account: null, profile: 'local', environment: null, host: null };
  const us = { profile: undefined, of: undefined };
  const near = pickNear(
    { host, ledger, us, scope, mayAsk: false, words: ['get'], tells: {} as OutputOptions },
    '7',
  );
  expect(await near).toMatchObject({ by: 'event', id: '071-P-7' });
  expect(host.stderr.text).toContain('"7" is the number of an event. Shown is purchase 071-P-7');
});

test('of several with one name a person picks one, and a script gets the list', async () => {
  const host = createTestHost({ answers: ['customer 071-c-2'] });
  const matches = [KAI, KAISER].map((one) => ({
    kind: 'customer' as const,
    id: one.id,
    by: 'name' as const,
    thing: one,
  }));
  const picked = (mayAsk: boolean) => pickNamed({ host, mayAsk }, 'kai', matches, TO_LOOK_UP);
  expect(await picked(true)).toEqual([matches[1]]);
  expect((await failureOf(() => picked(false))).message).toContain('names several records');
});
