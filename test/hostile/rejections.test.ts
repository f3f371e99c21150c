/**
 * A purchase that a deployment rejects: status 200, a failure envelope, and a record with an id that says
 * itself that it came to nothing. Through every door it is rejected, and never unknown.
 */
import { expect, test } from 'vitest';
import { answer, hostileServer } from '../helpers/hostile-server.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { gw } from './support.ts';

const CARD = { card_holder: 'Ada Byron', card_number: '512345XXXXXX2346', card_token: 'tok' };
const REJECTED = {
  ...CARD,
  id: '071-P-NMQOTE3P',
  authorization: null,
  successful: false,
  message: null,
  captured: false,
  captured_amount: null,
  transaction_id: '071-P-NMQOTE3P',
  settlement_date: null,
  transaction_date: null,
  response_code: '99',
};
const REASON = 'Reference is already taken';
const PAY = ['purchase', 'create', '--card-token', 'tok', '--amount', '1000'];

interface Parts {
  /** The body of the first answer to a POST. */
  first?: object;
}

/** Rejects every purchase with a record of its own, which it finds by its id and by its reference. */
async function rejecting({ first = {} }: Parts = {}) {
  let rejected = 0;
  const { url, requests } = await hostileServer({
    onRequest(socket, { method, target, body }) {
      if (method === 'GET') {
        const name = target.split('/').at(-1);
        const response = { ...REJECTED, amount: 1000, reference: 'INV-1', id: REJECTED.id };
        const found = name === 'INV-1' || name === REJECTED.id ? response : null;
        const envelope = { successful: found !== null, response: found, errors: [], test: true };
        return socket.write(answer(found ? 200 : 404, JSON.stringify(envelope)));
      }
      const { amount, reference } = JSON.parse(body);
      const record = { ...REJECTED, amount, reference, ...(rejected++ === 0 ? first : {}) };
      const envelope = { successful: false, response: record, errors: [REASON], test: true };
      return socket.write(answer(200, JSON.stringify(envelope)));
    },
  });
  const home = temporaryDirectory();
  const run = (args: string[], input = '') => gw(args, { url, home, input });
  const states = async () =>
    (
      JSON.parse((await run(['journal', 'list', '--all-profiles', '-o', 'json'])).stdout) as {
        state: string;
      }[]
    ).map(({ state }) => state);
  return { run, states, requests };
}

test('a rejected purchase is rejected by each command, and may be sent again', async () => {
  const { run, states, requests } = await rejecting();
  const one = await run([...PAY, '--reference', 'INV-1', '-o', 'json']);
  expect(one.code).toBe(6);
  expect(JSON.parse(one.stderr).error).toMatchObject({
    code: 'rejected-by-gateway',
    status: 200,
    errors: [REASON],
  });
  expect(await run([...PAY, '--reference', 'INV-1'])).toMatchObject({ code: 6 });
  const api = ['api', 'POST', '/v1.0/purchases/071-P-1/capture', '--input', '-'];
  const body = { card_token: 'tok', amount: 1000, reference: 'INV-2' };
  expect(await run(api, JSON.stringify(body))).toMatchObject({ code: 6 });
  expect(await states()).toEqual(['rejected', 'rejected', 'rejected']);

  const lines = Array.from({ length: 30 }, (_, i) => `tok,1000,LINE-${i}`);
  const rows = ['card_token,amount,reference', ...lines].join('\n');
  const batch = await run(['purchase', 'batch', '-', '-o', 'jsonl'], rows);
  const outcomes = batch.stdout.trimEnd().split('\n');
  expect(new Set(outcomes.map((line) => JSON.parse(line).outcome))).toEqual(
    new Set(['rejected', 'not-started']),
  );
  expect(batch.stdout).toContain(REASON);
  expect(new Set(await states())).toEqual(new Set(['rejected']));
  expect(requests.every(({ method }) => method === 'POST')).toBe(true);
});

test('a look-up shows that a purchase was rejected, and resolves its request', async () => {
  const { run, states } = await rejecting({ first: { authorization: '55355' } });
  expect(await run([...PAY, '--reference', 'INV-1'])).toMatchObject({ code: 8 });
  const shown = await run(['purchase', 'get', REJECTED.id, '-o', 'table']);
  expect(shown.code).toBe(0);
  expect(shown.stdout).toContain('REJECTED');
  expect(shown.stdout).not.toContain('DECLINED');
  const known = JSON.parse(
    (await run(['find', REJECTED.id, '--kind', 'purchase', '-o', 'json'])).stdout,
  );
  expect(known).toMatchObject([{ outcome: 'rejected' }]);

  const resolved = await run(['journal', 'resolve']);
  expect(resolved.code).toBe(0);
  expect(resolved.stderr).toContain('it was rejected. This is certain.');
  expect(await states()).toEqual(['rejected']);
  expect((await run(['report', 'day', '-o', 'json'])).stdout).not.toContain('1000');
});
