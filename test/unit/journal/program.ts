/** A process that uses a ledger, for what several of them, or the death of one, do to it. */
import path from 'node:path';
import { createSingleSender } from '../../../src/client/senders/single.ts';
import { purchaseCreate } from '../../../src/contract/resources/purchase.ts';
import { Failure } from '../../../src/failure.ts';
import { createFiles } from '../../../src/host/files/files.ts';
import { openSqliteLedger } from '../../../src/journal/sqlite/sqlite-ledger.ts';
import { testConnection } from '../../helpers/connection.ts';
import { recorded, sandboxPurchase } from '../../helpers/recorded.ts';

const [verb = '', file = '', argument = ''] = process.argv.slice(2);
const clock = { now: () => new Date(), uptimeMs: () => 0, sleep: async () => undefined };

const VERBS: Readonly<Record<string, () => Promise<void>>> = {
  /** Records 25 requests and their outcomes, and prints the reference of each when it is recorded. */
  async record() {
    const ledger = await openSqliteLedger(file, clock);
    for (let i = 0; i < 25; i++) {
      const id = await recorded(ledger, sandboxPurchase(`${argument}-${i}`));
      process.stdout.write(`${argument}-${i}\n`);
      await ledger.settle(id, { state: 'done', status: 200, recordId: id, message: null });
    }
    await ledger.close();
  },
  /** Charges a card at a gateway that the test keeps from answering. */
  async pay() {
    const client = testConnection({
      host: { clock, files: createFiles({ HOME: path.dirname(file) }) },
      profile: { baseUrl: new URL(argument) },
      parts: {
        openSender: async () => createSingleSender(),
        openLedger: () => openSqliteLedger(file, clock),
      },
    });
    await client.call(purchaseCreate, {
      body: { amount: 2500, card_token: 'tok', reference: 'INV-1' },
    });
  },
  /** Opens the ledger, and says what stands in the way. */
  async open() {
    await (await openSqliteLedger(file, clock)).close();
  },
};

try {
  await VERBS[verb]!();
  process.stdout.write('ok\n');
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  process.stdout.write(`${error.kind}: ${error.message} sent: ${error.sent}\n`);
}
