/** How a thing of the index is shown, where there is room and where there is little. */
import { expect, test } from 'vitest';
import { openTimeZone } from '../../../../src/base/time-zone.ts';
import { NO_SOURCES } from '../../../../src/things/sources.ts';
import type { Thing } from '../../../../src/things/thing.ts';
import { renderRows } from '../../../../src/view/formats/rows.ts';
import { renderTable } from '../../../../src/view/formats/table.ts';
import { lookedUpAs, thingView } from '../../../../src/view/records/search-result.ts';
import { loadMeasure } from '../../../../src/view/text/width.ts';
import { createTestHost } from '../../../helpers/cli.ts';

const NOTHING = {
  seenAt: '2026-03-10T09:30:00.000Z',
  ...{ account: null, profile: 'shop', environment: 'live', host: 'gateway.example' },
  ...{ outcome: null, amount: null, currency: null, reference: null, who: null, email: null },
  ...{ lastFour: null, message: null, label: null, endsOn: null },
  ...{ purchase: null, customer: null, subscription: null, plan: null, operator: null },
  token: null,
  note: null,
  told: 'record',
  sources: NO_SOURCES,
} as const;
const PURCHASE: Thing = {
  ...NOTHING,
  kind: 'purchase',
  id: '071-P-IE49OSAF',
  at: '2026-03-09T10:00:00+11:00',
  ...{ outcome: 'declined', amount: 2_500, currency: 'AUD', reference: 'INV-1001' },
  ...{ who: 'Ada Byron', lastFour: '2346', message: 'Insufficient Funds' },
  purchase: '071-P-IE49OSAF',
};
const CUSTOMER: Thing = {
  ...NOTHING,
  kind: 'customer',
  id: '071-C-1',
  at: '2025-12-31',
  ...{ reference: 'C-1042', who: 'Wu Li', email: 'wu@example.org' },
};
const REQUEST: Thing = {
  ...NOTHING,
  kind: 'request',
  id: '0e2c7a561c9b4a539b438f2a1d9b0c11',
  at: '2026-03-08T23:00:00.000Z',
  ...{
    outcome: 'unknown',
    amount: 500,
    currency: 'AUD',
    reference: 'RET-1',
    label: 'refund create',
  },
  purchase: '071-P-IE49OSAF',
};

async function table(things: readonly Thing[], columns: number): Promise<string> {
  const zone = openTimeZone('UTC');
  const view = thingView({ year: '2026', things, self: 'ada' });
  const style = {
    columns,
    color: false,
    zone,
    measure: await loadMeasure(),
    outcome: view.outcome,
  };
  return (await renderTable(things.map(view.record), view.columns, style))?.text ?? '';
}

test('a wide terminal shows the year, the kind and the card', async () => {
  expect(await table([PURCHASE, CUSTOMER, REQUEST], 120)).toMatchInlineSnapshot(`
    "KIND      WHEN         OUTCOME      AMOUNT  WHO        WHAT                          ID              CARD
    purchase  03-08 23:00  DECLINED  25.00 AUD  Ada Byron  Insufficient Funds, INV-1001  071-P-IE49OSAF  2346
    customer  2025-12-31   -                 -  Wu Li      C-1042, wu@example.org        071-C-1         -
    request   03-08 23:00  UNKNOWN    5.00 AUD  -          RET-1, refund create          0e2c7a56        -
    "
  `);
});

test('an entry has the first characters of its id, which `gw journal show` takes', async () => {
  const id = '0e2c7a56d81f4b0c9a7e2f6b1c3d4e5f';
  expect(await table([{ ...REQUEST, id }], 120)).toMatch(/ {2}0e2c7a56\n$/);
});

test('a narrow terminal shows names and references', async () => {
  expect(await table([PURCHASE, CUSTOMER, REQUEST], 80)).toMatchInlineSnapshot(`
    "WHEN         OUTCOME      AMOUNT  WHO        WHAT                 ID
    03-08 23:00  DECLINED  25.00 AUD  Ada Byron  Insufficient Funds…  071-P-IE49OSAF
    2025-12-31   -                 -  Wu Li      C-1042, wu@example…  071-C-1
    03-08 23:00  UNKNOWN    5.00 AUD  -          RET-1, refund crea…  0e2c7a56
    "
  `);
});

test('a card says an unknown outcome in the words of a row', async () => {
  const view = thingView({ year: '2026', things: [], self: 'ada' });
  const lost = { ...REQUEST, message: 'Outcome unknown: the connection was reset' };
  const rows = [lost, CUSTOMER].map((one) => ({ record: view.record(one), view }));
  const output = Object.assign(createTestHost().stdout, { columns: 50, blocks: true });
  const { text } = await renderRows(rows, { output });
  expect(text).toMatch(/^\? UNKNOWN\nResult [\s\S]*\n\nResult 071-C-1\n/);
});

test('a purchase says what was given back, and how a text was read stands where there is room', async () => {
  const things = [{ ...PURCHASE, outcome: 'approved' as const, refunded: 610, readAs: 'ada' }];
  expect(await table(things, 200)).toMatch(/refunded 6\.10 AUD.* ada/);
  expect(await table(things, 80)).not.toContain('READ AS');
});

test('what others sent is a table in a narrow terminal too, and says who in a wide one', async () => {
  const things = [{ ...PURCHASE, operator: 'grace@counter' }, CUSTOMER];
  expect(await table(things, 80)).toMatch(/^WHEN[^\n]*ID\n/);
  expect(await table(things, 120)).toContain('grace@counter');
});

test('the kind is shown if the id does not tell it', async () => {
  expect(await table([{ ...PURCHASE, id: '4711' }], 80)).toContain('purchase');
});

test('a day of this year is shown without the year', async () => {
  const begun = { ...NOTHING, kind: 'subscription', id: '071-S-1', at: '2026-03-09' } as const;
  expect(await table([begun], 80)).toMatch(/subscription {2}03-09/);
});

test('results of several profiles show their profile', async () => {
  const things = [PURCHASE, { ...CUSTOMER, profile: 'sandbox' }];
  expect(await table(things, 120)).toMatch(/PROFILE\s[\s\S]*shop\s[\s\S]*sandbox/);
  expect(await table([PURCHASE, CUSTOMER], 120)).not.toContain('PROFILE');
});

test.each<[thing: Thing, id: string | undefined]>([
  [PURCHASE, '071-P-IE49OSAF'],
  [CUSTOMER, '071-C-1'],
  [REQUEST, '071-P-IE49OSAF'],
  [{ ...REQUEST, purchase: null }, REQUEST.id],
  [{ ...REQUEST, kind: 'event', id: '7' }, '071-P-IE49OSAF'],
  [{ ...REQUEST, kind: 'event', id: '7', purchase: null, subscription: 'SUB-1' }, 'SUB-1'],
  [{ ...REQUEST, kind: 'event', id: '7', purchase: null, customer: 'C-1' }, 'C-1'],
  [{ ...REQUEST, kind: 'event', id: '7', purchase: null }, undefined],
])('the id to look up for %o is %s', (thing, id) => {
  expect(lookedUpAs({ ...thing, sources: null })).toBe(id);
});

test('a void is shown as a void, not as a decline', async () => {
  const shown = await table([{ ...PURCHASE, message: 'Voided' }], 120);
  expect(shown).toMatch(/ VOIDED /);
  expect(shown).not.toMatch(/DECLINED|Voided/);
});
