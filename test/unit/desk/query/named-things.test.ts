/** A report finds what its rows name: customers and plans by their own names, refunds by what they belong to. */
import { expect, test } from 'vitest';
import { byName, tiedTo } from '../../../../src/desk/query/named-things.ts';
import { openDesk, purchase, SCOPE, seen } from '../support.ts';

const CUSTOMER = { id: '071-C-1', reference: 'ada', card_token: 'tok' };
const PLAN = { id: '071-PL-1', reference: 'GOLD', amount: 1_500, currency: 'AUD' };

async function deskWithPayments() {
  const desk = await openDesk();
  await desk.ledger.remember([
    seen('customer', CUSTOMER, { name: 'Ada Byron' }),
    seen('plan', PLAN),
    ...['071-P-1', '071-P-2'].map((id) =>
      seen('purchase', purchase(id, { customer: CUSTOMER.id, card_token: 'tok', plan: PLAN.id })),
    ),
  ]);
  return desk;
}

test.each([
  ['customer', '071-C-1', '071-C-1'],
  ['customer', 'ada', '071-C-1'],
  ['customer', 'ADA', '071-C-1'],
  ['customer', 'tok', '071-C-1'],
  ['plan', 'GOLD', '071-PL-1'],
  ['plan', '071-PL-1', '071-PL-1'],
] as const)('a %s is found by %s', async (kind, name, id) => {
  const { things } = (await deskWithPayments()).ledger;
  expect(await tiedTo({ things, scope: SCOPE }, [kind], [name, null])).toMatchObject([{ id }]);
});

test('a customer is looked up by a name that no payment has', async () => {
  const { things } = (await deskWithPayments()).ledger;
  const asked: string[] = [];
  const known = {
    things: {
      tied: (...search: Parameters<typeof things.tied>) => {
        asked.push(...search[0]);
        return things.tied(...search);
      },
    },
    scope: SCOPE,
  };
  await tiedTo(known, ['customer'], ['071-C-1']);
  const all = await things.tied(asked, { kinds: ['customer', 'purchase'], limit: 9 });
  expect(all).toMatchObject([{ kind: 'customer' }]);
});

test('payments are found by what they belong to, and by their own names', async () => {
  const { things } = (await deskWithPayments()).ledger;
  const found = await tiedTo({ things, scope: SCOPE }, ['purchase'], ['071-C-1']);
  expect([...byName(found).keys()]).toEqual(expect.arrayContaining(['071-P-1', '071-P-2']));
});
