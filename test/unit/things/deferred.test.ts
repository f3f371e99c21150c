/** The order in which sources that are due are learnt. */
import { expect, test } from 'vitest';
import { deferSource, takeDue } from '../../../src/things/deferred.ts';
import { openDesk } from '../desk/support.ts';

test('what payments show is learnt first, and the rest in the order in which it came', async () => {
  const { ledger } = await openDesk();
  const kinds = ['purchase', 'event', 'customer', 'request', 'plan', 'subscription'] as const;
  const taken = await ledger.sql.write(function* () {
    for (const kind of kinds) yield* deferSource({ kind, account: null, id: kind });
    const lots: string[][] = [];
    for (let lot = 0; lot < 2; lot++) lots.push((yield* takeDue(3)).map(({ id }) => id));
    return lots;
  });
  expect(taken).toEqual([
    ['customer', 'plan', 'subscription'],
    ['purchase', 'event', 'request'],
  ]);
});
