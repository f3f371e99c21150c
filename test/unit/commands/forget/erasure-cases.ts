/** Cases of erasing a person, for every kind of ledger. */
import { describe, expect, test } from 'vitest';
import type { Erased } from '../../../../src/commands/forget/erased.ts';
import { type FoundPerson, findPerson } from '../../../../src/commands/forget/find-person.ts';
import { namesOfCustomer, readDelivery } from '../../../../src/events/read/read-delivery.ts';
import type { EventStore } from '../../../../src/events/store/event-file.ts';
import { type Failure, invariant } from '../../../../src/failure.ts';
import type { Ledger, RecordSnapshot } from '../../../../src/journal/ledger.ts';
import type { LotHost } from '../../../../src/requests/lots.ts';
import type { Deed } from '../../../../src/things/deed.ts';
import { NOW, standingClock } from '../../../helpers/client.ts';
import { REFUND } from '../../../helpers/money-request.ts';
import { newEvent } from '../../events/support.ts';

const where = { account: 'a', profile: 'shop', environment: 'sandbox', host: 'gateway.example' };
/** A purchase as the ledger is told of it. */
const CHARGE = {
  ...REFUND,
  ...where,
  operation: 'purchase create',
  target: 'tok_1',
  refundOf: null,
};
const DONE = { state: 'done', status: 201, recordId: '071-P-1', message: 'Approved' } as const;

function snapshot(
  kind: RecordSnapshot['kind'],
  record: Record<string, string | number>,
): RecordSnapshot {
  const { id, token = '', reference = null, amount = null, card_holder: holder } = record;
  const name = 'first_name' in record ? `${record.first_name} ${record.last_name}` : holder;
  return {
    ...where,
    kind,
    id: String(id ?? token),
    reference: reference === null ? null : String(reference),
    name: name === undefined ? null : String(name),
    lastFour: null,
    amount: amount === null ? null : Number(amount),
    seenBy: `${kind} get`,
    seenAt: NOW,
    record,
  };
}

const customer = (id: string, email: string, reference: string, token: string) =>
  snapshot('customer', {
    ...{ id, email, reference, card_token: token, first_name: 'Ada', last_name: 'Byron' },
  });
const purchase = (id: string, token: string) =>
  snapshot('purchase', { id, card_holder: 'Ada Byron', card_token: token, amount: 2500 });
const ADA = customer('071-C-ADAADA01', 'ada@example.com', 'CUST-1', 'tok_1');
const OTHER = customer('071-C-OTHER001', 'other@example.com', 'CUST-2', 'tok_2');

/** The operator who erases, and the reason. */
export const ERASED: Deed = {
  at: '2026-04-01T00:00:00.000Z',
  what: 'erased',
  fields: [],
  operator: 'ada@desk',
  note: 'asked by letter',
};

export const QUIET: LotHost = {
  clock: standingClock(),
  endOfTurn: () => Promise.resolve(),
  interrupted: new AbortController().signal,
  stderr: {
    isTerminal: false,
    columns: 80,
    color: false,
    blocks: false,
    isPlain: true,
    write: async () => undefined,
  },
};

/** Is interrupted at the end of a turn. */
function interruptedAt(turn: number): LotHost {
  const controller = new AbortController();
  let turns = 0;
  return {
    ...QUIET,
    interrupted: controller.signal,
    async endOfTurn() {
      if (++turns === turn) controller.abort();
    },
  };
}

export const charge = (id: string, reference: string, email: string) => ({
  event: 'charge:successful',
  payload: [
    {
      subscription: { id: `S-${id}`, customer: id },
      customer: { id, reference, email, first_name: 'Ada', last_name: 'Byron' },
      response: { successful: true, response: { id: '071-P-9', successful: true } },
    },
  ],
});

/** A ledger that a test has to itself. */
export interface Kept {
  ledger: Ledger;
  store: EventStore;
  erase(person: FoundPerson, isDry: boolean, host?: LotHost): Promise<Erased[]>;
  /** @returns all that is kept, in lower case, by whose bytes it is seen what is left */
  bytes(): Promise<string>;
}

async function erase({ ledger, erase }: Kept, text: string): Promise<Erased[]> {
  return erase(await findPerson(ledger, text, false), false);
}

/** @returns which of the texts are kept anywhere */
export async function found(kept: Kept, texts: readonly string[]): Promise<string[]> {
  const all = await kept.bytes();
  return texts.filter((text) => all.includes(Buffer.from(text).toString('latin1').toLowerCase()));
}

/** @param open gives a ledger that has seen records */
export function erasureCases(open: (seen: readonly RecordSnapshot[]) => Promise<Kept>): void {
  describe('erasing', () => {
    test('erasing leaves no byte of a name or an email, not even of earlier ones', async () => {
      const kept = await open([
        { ...ADA, record: { ...ADA.record, email: 'before@example.com' } },
        { ...ADA, seenAt: '2026-03-11T00:00:00.000Z' },
        purchase('071-P-1', 'tok_1'),
      ]);
      await kept.store.append(newEvent(charge(ADA.id, 'CUST-1', 'ada@example.com')));
      const body = { card_holder: 'Ada Byron', card_token: 'tok_1', amount: 2500 };
      const intended = await kept.ledger.intend({ ...CHARGE, body });
      invariant(intended.kind === 'recorded', 'a first charge');
      const lost = { state: 'unknown', status: null, recordId: null } as const;
      await kept.ledger.settle(intended.id, { ...lost, message: 'no answer about Ada Byron' });
      await kept.ledger.settle(intended.id, DONE);
      const texts = ['ada byron', 'Byron', 'ada@example.com', 'before@example.com', 'CUST-1'];
      expect(await found(kept, texts)).not.toEqual([]);

      const erased = await erase(kept, ADA.id);
      expect(erased.map(({ kind, action }) => `${kind} ${action}`)).toEqual([
        'customer deleted',
        'purchase blanked',
        'request blanked',
        'event blanked',
      ]);
      expect(await found(kept, texts)).toEqual([]);
      expect(await kept.ledger.things.search({ text: 'byron', limit: 9 })).toEqual([]);
    });

    describe('erasing that is interrupted again and again', () => {
      test.each([
        ['the id of a customer', ADA.id],
        ['the reference of a customer', 'CUST-1'],
        ['the email of a customer', 'ada@example.com'],
        ['the token of a customer', 'tok_1'],
        ['an email that only a purchase has', 'own@example.com'],
        ['the id of a purchase', '071-P-7'],
      ])('goes on by %s until nothing is left', async (_, text) => {
        const kept = await open([
          ...[ADA, purchase('071-P-1', 'tok_1'), purchase('071-P-2', 'tok_1')],
          ...['071-P-7', '071-P-8'].map((id) => {
            const own = purchase(id, 'tok_7');
            const email = id === '071-P-7' ? 'own@example.com' : null;
            return { ...own, record: { ...own.record, ...(email && { email }) } };
          }),
        ]);
        await kept.store.append(newEvent(charge(ADA.id, 'CUST-1', 'ada@example.com')));
        for (const [target, recordId] of [
          ['071-P-2', '071-R-2'],
          ['071-P-8', '071-R-8'],
        ] as const) {
          const refund = { ...REFUND, ...where, target, refundOf: target, reference: recordId };
          const intended = await kept.ledger.intend({ ...refund, body: { note: 'A Byron asked' } });
          if (intended.kind === 'recorded')
            await kept.ledger.settle(intended.id, { ...DONE, recordId });
        }
        const isOfCustomer = !text.includes('own') && !text.includes('P-7');
        const [kind, others] = isOfCustomer ? ['P-2', 'P-8'] : ['P-8', 'P-2'];
        const said: string[] = [];
        for (let turn = 1; turn < 40 && said.at(-1) !== 'done'; turn++) {
          const person = await findPerson(kept.ledger, text, false);
          const run = kept.erase(person, false, interruptedAt(turn));
          said.push(
            await run.then(
              () => 'done',
              ({ kind, next }: Failure) => `${kind}: ${next}`,
            ),
          );
        }
        const again = 'Run the same command again to go on.';
        expect([...new Set(said)]).toEqual([
          `interrupted: Nothing was erased. ${again}`,
          `interrupted: A part is erased, and the rest is still found by what you typed. ${again}`,
          'done',
        ]);
        const entries = await kept.ledger.list({ limit: 9 });
        const noteOf = (purchase: string | undefined) =>
          entries.find(({ target }) => target === `071-${purchase}`)?.body.note;
        expect([noteOf(kind), noteOf(others)]).toEqual([null, 'A Byron asked']);
        if (isOfCustomer) expect(await found(kept, ['ada@example.com', 'CUST-1'])).toEqual([]);
        else expect(await found(kept, ['own@example.com'])).toEqual([]);
      });
    });

    test('erasing keeps the data by which money is counted', async () => {
      const kept = await open([ADA, purchase('071-P-1', 'tok_1')]);
      const body = { card_holder: 'Ada Byron', amount: 2500 };
      await kept.ledger.intend({ ...CHARGE, amount: 2500, reference: 'INV-1', body });
      const [entry] = await kept.ledger.list({ limit: 1 });
      await kept.ledger.settle(entry!.id, DONE);
      await erase(kept, ADA.id);
      expect(await kept.ledger.list({ limit: 9 })).toMatchObject([
        { id: entry!.id, amount: 2500, reference: 'INV-1', body: { card_holder: null } },
      ]);
      const known = await kept.ledger.balances(where, ['071-P-1']);
      expect(known.get('071-P-1')).toMatchObject({ paid: 2500 });
    });

    test('erasing a person keeps records that only share the name', async () => {
      const kept = await open([
        ...[ADA, OTHER],
        ...[
          purchase('071-P-1', 'tok_1'),
          purchase('071-P-2', 'tok_2'),
          purchase('071-P-3', 'tok_3'),
        ],
      ]);
      await kept.store.append(newEvent(charge(OTHER.id, 'CUST-2', 'other@example.com')));
      const erased = await erase(kept, ADA.id);
      expect(erased.map(({ id }) => id)).toEqual([ADA.id, '071-P-1']);
      expect(await kept.ledger.remembered({ id: OTHER.id }, 9)).toMatchObject([
        { record: OTHER.record },
      ]);
      expect(await kept.ledger.remembered({ id: '071-P-3' }, 9)).toMatchObject([
        { name: 'Ada Byron' },
      ]);
      expect(await customersOf(kept.store, 1)).toContain('ada byron');
    });

    test('erasing keeps another customer with the same card or email', async () => {
      const spouse = { ...OTHER, record: { ...OTHER.record, card_token: 'tok_1' } };
      const kept = await open([ADA, spouse, purchase('071-P-1', 'tok_1')]);
      await kept.store.append(newEvent(charge(OTHER.id, 'CUST-2', 'ada@example.com')));
      const erased = await erase(kept, 'CUST-1');
      expect(erased.map(({ id }) => id)).toEqual([ADA.id, '071-P-1', '1']);
      // The email alone is taken out of it.
      expect(await customersOf(kept.store, 1)).toEqual(
        [OTHER.id, 'cust-2', 'ada byron'].map((text) => text.toLowerCase()),
      );
      expect(await kept.ledger.remembered({ id: OTHER.id }, 9)).toMatchObject([
        { record: spouse.record },
      ]);
    });

    test('erasing finds refunds, requests and charges by their ids alone', async () => {
      const kept = await open([ADA, purchase('071-P-1', 'tok_1')]);
      const refund = { ...REFUND, ...where, target: '071-P-1', refundOf: '071-P-1' };
      const intended = await kept.ledger.intend({ ...refund, body: { note: 'A Byron asked' } });
      if (intended.kind === 'recorded')
        await kept.ledger.settle(intended.id, { ...DONE, recordId: '071-R-1' });
      await kept.ledger.remember([
        snapshot('refund', { id: '071-R-1', card_holder: 'A Byron', amount: -500 }),
      ]);
      // Its thing alone has the name, from the record of the card's customer.
      await kept.ledger.intend({ ...CHARGE, body: { card_token: 'tok_1', amount: 2500 } });
      const erased = await erase(kept, 'tok_1');
      expect(erased.map(({ kind, action }) => `${kind} ${action}`)).toEqual([
        'customer deleted',
        'purchase blanked',
        'refund blanked',
        'request blanked',
      ]);
      expect(await found(kept, ['Byron'])).toEqual([]);
    });

    test("erasing a reference keeps other people's purchases with it", async () => {
      const theirs = { ...purchase('071-P-3', 'tok_3'), reference: 'CUST-1' };
      const kept = await open([ADA, theirs]);
      expect((await erase(kept, 'CUST-1')).map(({ id }) => id)).toEqual([ADA.id]);
      expect(await kept.ledger.remembered({ id: '071-P-3' }, 9)).toMatchObject([
        { reference: 'CUST-1', name: 'Ada Byron' },
      ]);
    });

    test('erasing removes an email from records of nobody', async () => {
      const kept = await open([ADA]);
      const intended = await kept.ledger.intend({
        ...CHARGE,
        target: 'tok_9',
        body: { note: 'to ada@example.com' },
      });
      if (intended.kind === 'recorded') await kept.ledger.settle(intended.id, DONE);
      await kept.store.append(newEvent('not JSON: ADA@example.com'));
      await erase(kept, ADA.id);
      expect(await found(kept, ['ada@example.com'])).toEqual([]);
    });

    test('erasing one customer of a delivery keeps the others in it', async () => {
      const kept = await open([ADA]);
      const one = charge(ADA.id, 'CUST-1', 'ada@example.com');
      const two = charge('071-C-ZOE00001', 'CUST-3', 'zoe@example.com');
      await kept.store.append(newEvent({ ...one, payload: [...one.payload, ...two.payload] }));
      await erase(kept, ADA.id);
      const event = await kept.store.find(1);
      expect(Buffer.from(event!.body).toString()).toContain('zoe@example.com');
      expect(await customersOf(kept.store, 1)).not.toContain('ada@example.com');
      expect(event?.isMasked).toBe(true);
      expect(await found(kept, ['ada@example.com'])).toEqual([]);
    });

    test('a request with an unknown outcome and a waiting event stay', async () => {
      const kept = await open([ADA]);
      await kept.ledger.intend({ ...CHARGE, body: { card_token: 'tok_1', card_holder: 'X' } });
      const event = newEvent(charge(ADA.id, 'CUST-1', 'ada@example.com'), {
        forwardTo: 'http://a/',
      });
      await kept.store.append(event);
      const erased = await erase(kept, ADA.id);
      expect(erased.map(({ kind, action }) => `${kind} ${action}`)).toEqual([
        'customer deleted',
        'request kept',
        'event kept',
      ]);
      expect((await kept.store.find(1))?.body).toEqual(new Uint8Array(event.body));
    });

    test('--dry-run reports what would be erased and erases nothing', async () => {
      const kept = await open([ADA]);
      const person = await findPerson(kept.ledger, 'CUST-1', true);
      expect(await kept.erase(person, true)).toMatchObject([{ action: 'deleted' }]);
      expect(await kept.ledger.remembered({ id: ADA.id }, 9)).toHaveLength(1);
    });

    test('a second erasure finds nothing', async () => {
      const kept = await open([ADA, purchase('071-P-1', 'tok_1')]);
      await kept.store.append(newEvent(charge(ADA.id, 'CUST-1', 'ada@example.com')));
      const person = await findPerson(kept.ledger, ADA.id, false);
      await kept.erase(person, false);
      expect(await kept.erase(person, false)).toEqual([]);
    });
  });

  describe('the person', () => {
    const called = async ({ ledger }: Kept, text: string, isCustomer = false) =>
      (await findPerson(ledger, text, isCustomer)).called;

    test('is identified by an email, a reference, an id or a token', async () => {
      const kept = await open([ADA, OTHER, purchase('071-P-1', 'tok_1')]);
      for (const text of ['ADA@example.com', 'CUST-1', '071-c-adaada01', 'tok_1'])
        expect(await called(kept, text)).toEqual(['Ada Byron', 'ada@example.com', ADA.id]);
    });

    test('is not identified by a name, even a unique one', async () => {
      const kept = await open([ADA, purchase('071-P-3', 'tok_3')]);
      await kept.store.append(newEvent(charge('071-C-EVENT001', 'CUST-9', 'e@example.com')));
      for (const isCustomer of [false, true])
        await expect(findPerson(kept.ledger, 'Ada Byron', isCustomer)).rejects.toMatchObject({
          kind: 'usage',
          message: expect.stringContaining('A name is not enough'),
        });
      await expect(findPerson(kept.ledger, 'Byron', false)).rejects.toMatchObject({
        kind: 'notFound',
      });
    });

    test('is not identified by a value that two customers share', async () => {
      const spouse = { ...OTHER, record: { ...OTHER.record, card_token: 'tok_1' } };
      const kept = await open([ADA, spouse]);
      await expect(findPerson(kept.ledger, 'tok_1', false)).rejects.toMatchObject({
        kind: 'usage',
        message: expect.stringMatching(/071-C-(?:ADAADA01|OTHER001), 071-C-/),
      });
    });

    test('without a customer is identified by a purchase or a token, with the payments of that card', async () => {
      const seen = [OTHER, purchase('071-P-3', 'tok_3'), purchase('071-P-4', 'tok_3')];
      for (const text of ['071-P-3', 'tok_3']) {
        const erased = await erase(await open(seen), text);
        expect(erased.map(({ id }) => id).sort()).toEqual(['071-P-3', '071-P-4']);
      }
    });

    test('is identified by a request without a record', async () => {
      const kept = await open([purchase('071-P-3', 'tok_3')]);
      await kept.ledger.intend({ ...CHARGE, target: 'x', body: { card_holder: 'Ada Byron' } });
      const [entry] = await kept.ledger.list({ limit: 1 });
      await kept.ledger.settle(entry!.id, { ...DONE, state: 'rejected', recordId: null });
      expect(await erase(kept, entry!.id)).toMatchObject([{ kind: 'request', id: entry!.id }]);
    });

    test('is not found by a plan or an unknown customer', async () => {
      const order = { ...purchase('071-P-3', 'tok_3'), reference: 'CUST-1' };
      const kept = await open([snapshot('plan', { id: '071-PL-1', reference: 'GOLD' }), order]);
      await expect(findPerson(kept.ledger, 'GOLD', false)).rejects.toMatchObject({
        kind: 'notFound',
      });
      await expect(findPerson(kept.ledger, 'CUST-1', true)).rejects.toMatchObject({
        kind: 'notFound',
      });
    });
  });
}

/** @returns the names of the customers in an event */
async function customersOf(store: EventStore, id: number): Promise<string[]> {
  const event = await store.find(id);
  return [...new Set(readDelivery(event!.body).parts.flatMap(namesOfCustomer))];
}
