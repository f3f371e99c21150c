/** Records of a look-up, on their way to the ledger. */
import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import { openLedgerAt } from '../../../../src/client/ledger/open.ts';
import { ownFile } from '../../../../src/client/ledger/place.ts';
import { MAX_INBOX_BYTES, SnapshotInbox } from '../../../../src/client/ledger/snapshot-inbox.ts';
import { createFiles } from '../../../../src/host/files/files.ts';
import type { RecordSnapshot } from '../../../../src/journal/ledger.ts';
import { ledgerPath, seenPath } from '../../../../src/store/paths.ts';
import { createTestHost, runCommand, type Way } from '../../../helpers/cli.ts';
import { standingClock } from '../../../helpers/client.ts';
import { answer, hostileServer } from '../../../helpers/hostile-server.ts';
import { sandboxPurchase } from '../../../helpers/recorded.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const PURCHASE = { id: '071-P-1', amount: 2500, successful: true, card_number: '5123456789012346' };
const SEEN: RecordSnapshot = {
  account: 'a1',
  profile: 'sandbox',
  environment: 'sandbox',
  host: 'gateway.example',
  kind: 'purchase',
  id: '071-P-1',
  reference: null,
  name: null,
  lastFour: null,
  amount: 2500,
  seenBy: 'purchase get',
  seenAt: '2026-01-01T00:00:00.000Z',
  record: {},
};

function newHost() {
  const files = createFiles({ HOME: temporaryDirectory() });
  return { ...createTestHost(), files, clock: standingClock() };
}

test.each<Way>(['fast path', 'oclif'])(
  'a look-up, by %s, opens no ledger, and the next one that is opened knows what it saw',
  async (way) => {
    const envelope = JSON.stringify({ successful: true, response: PURCHASE, errors: [] });
    const server = await hostileServer({
      onRequest: (socket) => void socket.write(answer(200, envelope)),
    });
    const env = {
      GW_USERNAME: 'shop',
      GW_API_TOKEN: 'secret-token',
      GW_BASE_URL: server.url.href,
      GW_ENVIRONMENT: 'sandbox',
    };
    const { host, stderr } = await runCommand(way, ['purchase', 'get', PURCHASE.id], { env });
    expect(stderr).toBe('');
    expect(existsSync(ledgerPath(host.files))).toBe(false);
    const text = host.files.read(seenPath(host.files), 10_000);
    expect(text).toContain('071-P-1');
    expect(text).not.toContain(PURCHASE.card_number);

    const ledger = await openLedgerAt(host, ownFile(host.files));
    expect(await ledger.remembered({ kind: 'purchase' }, 9)).toMatchObject([
      { id: '071-P-1', amount: 2500 },
    ]);
    await ledger.close();
    expect(existsSync(seenPath(host.files))).toBe(false);
  },
);

test('a line that was cut off is passed over, and so is one that is no record', async () => {
  const host = newHost();
  const file = new SnapshotInbox(host.files, seenPath(host.files));
  file.append([SEEN, { ...SEEN, id: '071-P-2' }]);
  appendFileSync(seenPath(host.files), '\nnull\n7\n{}\n{"profile":"sand');
  const wrong = { amount: 1.5 } as const;
  file.append([
    { ...SEEN, id: 'x', ...wrong },
    { ...SEEN, id: '071-P-3' },
  ]);
  const ledger = await openLedgerAt(host, ownFile(host.files));
  const found = await ledger.remembered({}, 9);
  expect(found.map(({ id }) => id)).toEqual(['071-P-1', '071-P-2', '071-P-3']);
  await ledger.close();
});

test('a file that cannot be read in does not prevent a payment', async () => {
  const host = newHost();
  new SnapshotInbox(host.files, seenPath(host.files)).append([SEEN]);
  mkdirSync(`${seenPath(host.files)}.taken`);
  const ledger = await openLedgerAt(host, ownFile(host.files));
  expect(await ledger.intend(sandboxPurchase('INV-1'))).toMatchObject({ kind: 'recorded' });
  await ledger.close();
  expect(existsSync(seenPath(host.files))).toBe(true);
});

test('records that cannot be written to the ledger wait for the next run', async () => {
  const host = newHost();
  const inbox = new SnapshotInbox(host.files, seenPath(host.files));
  await (await openLedgerAt(host, ownFile(host.files))).close();
  const database = new DatabaseSync(ledgerPath(host.files));
  database.exec("CREATE TRIGGER no BEFORE INSERT ON records BEGIN SELECT RAISE(ABORT, 'no'); END");
  inbox.append([SEEN]);
  await (await openLedgerAt(host, ownFile(host.files))).close();
  expect(inbox.isEmpty).toBe(false);
  database.exec('DROP TRIGGER no');
  database.close();
  const ledger = await openLedgerAt(host, ownFile(host.files));
  expect(await ledger.remembered({ id: SEEN.id }, 9)).toHaveLength(1);
  await ledger.close();
});

test('says when there is enough of it', () => {
  const { files } = newHost();
  const file = new SnapshotInbox(files, seenPath(files));
  const record = { text: 'x'.repeat(MAX_INBOX_BYTES / 2) };
  expect(file.append([{ ...SEEN, record }])).toBe(false);
  expect(file.append([{ ...SEEN, record }])).toBe(true);
});
