import { expect, test } from 'vitest';
import { isPayer, payerFault } from '../../../../src/requests/batch/known-purchases.ts';

const zoe = {
  names: ['Zoë Ångström', 'Z ANGSTROM'],
  email: 'zoe.a@example.com',
  ids: ['071-C-ZOE', 'C-1001'],
};
const wei = { names: ['伟 王', 'TEST CARD'], email: 'wang.wei@example.com', ids: ['071-C-WEI'] };
const wu = { names: ['Mei Wu'], email: 'wu.mei@example.com', ids: [] };

test.each([
  ['zoe angstrom', zoe, true],
  ['Zoe Aangstroem', zoe, true],
  ['z angstrom', zoe, true],
  ['c-1001', zoe, true],
  ['071-c-zoe', zoe, true],
  ['ZOE.A@example.com', zoe, true],
  ['Zoë', zoe, false],
  ['Angstrom Zoe', zoe, false],
  ['Zoë Angstroms', zoe, false],
  ['王伟', wei, true],
  ['Wang Wei', wei, true],
  ['Wei Wang', wei, true],
  ['Wang', wei, false],
  // The order counts in a name in Latin letters.
  ['Wu Mei', wu, false],
])('%j is who paid, as far as is known: %j', (text, payer, is) => {
  expect(isPayer(text, payer)).toBe(is);
});

test('a line for somebody else, or for whom nothing is compared, is a problem', () => {
  const known = (payer: typeof zoe) => ({ payer, reference: null, requested: new Set<string>() });
  expect(payerFault('WEB-1', 'zoe angstrom', known(zoe), undefined)).toBeUndefined();
  expect(payerFault('WEB-1', 'Wei Li', known(zoe), undefined)).toBe(
    'WEB-1 was paid by Zoë Ångström, not Wei Li: correct the line, or leave its customer empty',
  );
  expect(payerFault('WEB-1', 'Li Na', known(wei), undefined)).toBe(
    'customer "Li Na" is not who paid WEB-1, as far as gw knows (伟 王, 071-C-WEI, wang.wei@example.com): correct the line, or leave its customer empty',
  );
  expect(payerFault('WEB-1', 'Li Na', undefined, undefined)).toBe(
    'customer "Li Na" was not compared. gw does not know who paid "WEB-1". To send it all the same, leave the customer empty',
  );
});
