/** The cards of what is gw's own. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { GATEWAY_STATE_VIEW } from '../../../../src/commands/emulator/gateway-state.ts';
import { LEDGER_STATUS_VIEW } from '../../../../src/commands/ledger/ledger-status.ts';
import { SENT_VIEW } from '../../../../src/events/send/sent-view.ts';
import { EVENT_VIEW } from '../../../../src/events/show/event-view.ts';
import type { RecordView } from '../../../../src/view/columns.ts';
import { ENTRY_VIEW, PAID_ENTRY_VIEW } from '../../../../src/view/records/journal-entry.ts';
import { WHOAMI_VIEW } from '../../../../src/view/records/profile.ts';
import { print, terminal } from '../../../helpers/capture.ts';

async function card(view: RecordView, record: JsonObject, color = false): Promise<string> {
  const output = terminal(80, color);
  return (await print([record], { kind: view, single: true, output })).stdout;
}

const ENTRY: JsonObject = {
  id: '8f0c1d2e-0000-4000-8000-000000000000',
  created_at: '2026-03-10T09:30:00.000Z',
  state: 'unknown',
  operation: 'purchase create',
  amount: 2500,
  currency: 'AUD',
  reference: 'INV-1',
  target: null,
  record_id: null,
  message: 'no answer within 60 s',
  status: null,
  profile: 'shop',
  environment: 'live',
  operator: 'ada@desk',
  machine: 'desk',
  body: { amount: 2500 },
};

test('an entry shows the outcome, the mode and the request', async () => {
  expect(await card(ENTRY_VIEW, ENTRY)).toBe(`\
? UNKNOWN  25.00 AUD  2026-03-10 09:30
Purchase create, INV-1

entry    8f0c1d2e-0000-4000-8000-000000000000
message  no answer within 60 s
profile  shop, live
mode     LIVE
sent by  ada@desk on desk

Request
  {
    "amount": 2500
  }
`);
});

test.each([
  ['done', {}, 'answered'],
  ['declined', {}, 'answered'],
  ['rejected', {}, 'answered'],
  ['not-sent', {}, 'ended'],
  ['unknown', {}, 'ended'],
  ['done', { resolution: 'The bank statement has it.' }, 'resolved'],
] as const)('an entry that is %s %j says when it was %s', async (state, change, word) => {
  const record = { ...ENTRY, state, settled_at: '2026-03-11T09:30:00Z', ...change };
  const shown = await card(ENTRY_VIEW, record);
  expect(shown).toMatch(new RegExp(`^${word} +2026-03-11`, 'm'));
  expect(shown).not.toContain('settled');
});

test('a declined entry shows who was to pay, and the reason', async () => {
  const declined = { ...ENTRY, state: 'declined', status: 200, message: 'Insufficient Funds' };
  const payer = { customer: '071-C-1', who: 'Ada Byron', last_four: '4242', note: 'again' };
  expect(await card(PAID_ENTRY_VIEW, { ...declined, ...payer, body: null })).toBe(`\
✗ DECLINED  25.00 AUD  2026-03-10 09:30
Purchase create, INV-1

entry     8f0c1d2e-0000-4000-8000-000000000000
message   Insufficient Funds
customer  071-C-1 Ada Byron
card      4242
note      again
profile   shop, live
mode      LIVE
sent by   ada@desk on desk
`);
});

test.each([
  ['purchase create', '512345XXXXXX4242', 'card     512345XXXXXX4242'],
  ['purchase create', 'tok1', 'card     tok1, 4242'],
  ['refund create', '071-P-1', 'purchase  071-P-1\n'],
  ['api POST /v1.0/x', 'X-1', 'target   X-1\n'],
])('the target of %s is called what it is: %s', async (operation, target, line) => {
  const record = { ...ENTRY, operation, target, last_four: '4242' };
  expect(await card(PAID_ENTRY_VIEW, record)).toContain(line);
});

const EVENT: JsonObject = {
  id: '17',
  received_at: '2026-03-10T09:30:00.000Z',
  mode: 'Sandbox',
  event: 'charge:failed',
  outcome: 'abandoned',
  message: 'Declined',
  who: 'Ada Lovelace',
  amount: 2500,
  currency: 'AUD',
  authentication: 'none',
  duplicate_of: null,
  headers: { host: '127.0.0.1' },
  payload: [{ a: 1 }],
};

test('an event shows one outcome and its payload', async () => {
  expect(await card(EVENT_VIEW, EVENT)).toBe(`\
✗ DECLINED  25.00 AUD  Ada Lovelace
Event 17, charge:failed

received        2026-03-10 09:30
mode            Sandbox
authentication  none: anyone could have sent it

Headers
  {
    "host": "127.0.0.1"
  }

Payload
  [
    {
      "a": 1
    }
  ]
`);
});

test('a live profile shows LIVE in colour and its limits in money', async () => {
  const profile = {
    ...{ profile: 'shop', environment: 'live', base_url: 'https://gw.example.com/' },
    ...{ currency: 'AUD', read_only: true, max_amount: 10_000, allowed_commands: ['plan list'] },
  };
  expect(await card(WHOAMI_VIEW, profile)).toBe(`\
shop

environment  LIVE: real cards, real money
gateway      https://gw.example.com/
currency     AUD
limits       read-only, at most 100.00 AUD at once, only plan list
`);
  const colored = await card(WHOAMI_VIEW, { profile: 'shop', environment: 'live' }, true);
  expect(colored).toContain('\u001b[1;31mLIVE: real cards, real money\u001b[22;39m');
});

test('the test gateway shows its numbers of records', async () => {
  const state = {
    ...{ file: '/home/ada/emulator.db', dialect: 'deployed', time: '2026-03-10T09:30:00.000Z' },
    ...{ next_day_to_bill: '2026-03-10', clock: 'stands still', hooks: 1, queued_deliveries: 2 },
    records: { TEST: { card: 1, purchase: 2, refund: 0 }, OTHER: { card: 0 } },
  };
  expect(await card(GATEWAY_STATE_VIEW, state)).toBe(`\
Built-in test gateway  2026-03-10 09:30  stands still

next day to bill  2026-03-10
dialect           deployed
webhooks          1, 2 deliveries queued
account TEST      1 card, 2 purchases
account OTHER     no records yet
file              /home/ada/emulator.db
`);
});

test('a ledger shows its contents and the number of unresolved requests', async () => {
  const status = {
    ...{ ledger: '/home/ada/ledger.db', version: null, form: 14, entries: 1200 },
    ...{ records: 1, events: 0, unresolved: 2 },
  };
  expect(await card(LEDGER_STATUS_VIEW, status)).toBe(`\
Ledger  file
/home/ada/ledger.db

holds       1,200 entries, 1 record, 0 events
unresolved  ? 2: \`gw journal resolve\` asks the gateway
form        14
`);
});

test('a delivery shows whether it was accepted', async () => {
  const sent = { event: 'charge:failed', to: 'http://127.0.0.1:1/', status: 500, changed: true };
  expect(await card(SENT_VIEW, sent)).toBe(`\
✗ NOT DELIVERED  charge:failed

to      http://127.0.0.1:1/
answer  500
body    changed by --set
`);
});
