/** A part of a name chooses no record to change: a person does, and a script gets the command for each. */
import { expect, test } from 'vitest';
import { refundCreate } from '../../../../src/contract/resources/refund.ts';
import { subscriptionUpdate } from '../../../../src/contract/resources/subscription.ts';
import { openSqliteLedger } from '../../../../src/journal/sqlite/sqlite-ledger.ts';
import type { CommandSession } from '../../../../src/requests/known/meant-record.ts';
import { chosenNear, isCalled } from '../../../../src/requests/known/near-names.ts';
import { Questions } from '../../../../src/requests/questions.ts';
import { ledgerPath } from '../../../../src/store/paths.ts';
import { createTestHost } from '../../../helpers/cli.ts';
import { failureOf } from '../../../helpers/failure.ts';
import { AT } from '../../../helpers/money-request.ts';
import { thing } from '../../desk/known-things.ts';
import { seen } from '../../desk/support.ts';

const paid = (id: string, card_holder: string, authorized = true) =>
  seen(
    'purchase',
    { id, card_holder, amount: 2500, currency: 'AUD', authorized },
    { name: card_holder },
  );

async function asking(answers?: string[]): Promise<CommandSession & { questions: Questions }> {
  const host = createTestHost(answers ? { answers } : {});
  const ledger = await openSqliteLedger(ledgerPath(host.files), host.clock);
  await ledger.remember([
    paid('071-P-1', 'Siobhán Ó Briain'),
    paid('071-P-2', 'Siobhan Kelly'),
    paid('071-P-3', 'Siobhan Kelly', false),
    paid('071-P-SIOBHAN4', 'Mei Wu'),
  ]);
  await ledger.close();
  const known = { allSeen: async () => {}, destination: async () => AT };
  const session = {
    profile: { name: 'sandbox', environment: 'sandbox' },
    options: { mayAsk: answers !== undefined },
    gateway: { ledger: known },
  } as unknown as CommandSession['session'];
  const typed = { full: true };
  const questions = new Questions(host.prompts);
  return { host, session, words: ['refund', 'create', 'siobhan'], typed, questions };
}

test('a script gets the whole command for each payment that can be given back', async () => {
  const failure = await failureOf(async () =>
    chosenNear(await asking(), refundCreate, 'purchase', 'siobhan'),
  );
  expect(failure).toMatchObject({ code: 'name-ambiguous', kind: 'usage', sent: false });
  expect(failure.next).toContain('`gw refund create 071-P-2 --full` (Siobhan Kelly, 25.00 AUD');
  expect(failure.next).toContain('`gw refund create 071-P-1 --full` (Siobhán Ó Briain, 25.00 AUD');
  expect(failure.next).not.toMatch(/071-P-(?:3|SIOBHAN4)/);
});

test('a person chooses one, and the same command then names it', async () => {
  const at = await asking(['071-p-1']);
  const chosen = await chosenNear(at, refundCreate, 'purchase', 'siobhan');
  expect(chosen).toMatchObject({ kind: 'purchase', id: '071-P-1', by: 'near' });
  expect([...at.questions.meant]).toEqual([['siobhan', '071-P-1']]);
});

test('the only one is confirmed, and not taken', async () => {
  const kelly = ['refund', 'kelly'];
  const no = await failureOf(async () =>
    chosenNear({ ...(await asking(['n'])), words: kelly }, refundCreate, 'purchase', 'kelly'),
  );
  expect(no.code).toBe('cancelled');
});

test('where nothing is near, nothing is chosen', async () => {
  for (const text of ['nobody', 'obhan'])
    expect(await chosenNear(await asking(['071']), refundCreate, 'purchase', text)).toBe(undefined);
  expect(await chosenNear(await asking([]), subscriptionUpdate, 'subscription', 'siobhan')).toBe(
    undefined,
  );
});

test.each([
  ['sio', true],
  ['siobhan o briain', true],
  ["o'briain", true],
  ['briain siobhan', true],
  ['riain', false],
])('%s is called so: %s', (text, is) => {
  expect(isCalled(thing({ kind: 'customer', id: '071-C-1', who: 'Siobhán Ó Briain' }), text)).toBe(
    is,
  );
});
