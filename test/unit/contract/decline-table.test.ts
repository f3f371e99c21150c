import { describe, expect, test } from 'vitest';
import {
  adviceOn,
  approvalOf,
  DECLINES,
  type Decline,
  declineInShort,
  declineOf,
  declineOfCode,
  declineOfMessage,
  isHidden,
  NO_ADVICE,
} from '../../../src/contract/decline-table.ts';
import { whyNever } from '../../../src/contract/declines.ts';
import { answersTo } from '../../../src/emulator/rules/acquirer.ts';

const codesOf = ([codes]: Decline) => codes.split(' ');
const phrasesOf = (row: Decline) => row[3].split('|');
const titled = DECLINES.map((row) => [row[2], row] as const);

describe.each(titled)('declined: %s', (why, row) => {
  const [tryAgain, when, say] = adviceOn(row);

  test('has codes and phrases in the form that messages are compared in', () => {
    for (const code of codesOf(row)) expect(code).toMatch(/^(?:\d{2,3}|[A-Z]\d|\d[A-Z])$/);
    for (const phrase of phrasesOf(row)) expect(phrase).toMatch(/^[a-z\d]+(?: [a-z\d]+)*$/);
    for (const phrase of phrasesOf(row)) expect(declineOfMessage(phrase)).toBe(row);
  });

  test('says why, when and what in whole sentences', () => {
    expect(why).toMatch(/^[a-z].*[a-z)]$/);
    for (const text of [when, say]) expect(text).toMatch(/^[A-Z].*\.$/);
    expect(declineInShort(row)).toMatch(/^[A-Z].*: .*\.$/);
  });

  test('blames nobody', () => {
    for (const text of [why, when, say, declineInShort(row)])
      expect(text).not.toMatch(/\b(?:your fault|you failed|you forgot|illegal|bad card|sorry)\b/i);
  });

  test('lets no customer hear what is the bank’s alone to tell', () => {
    expect(say).not.toMatch(/lost|stolen|fraud|suspe|law|pick|seiz|security (?:reason|violation)/i);
    expect(isHidden(row)).toBe(/taken from|lost|stolen|fraud|law/.test(why));
  });

  test('is never tried again exactly if the guard of batches says so', () => {
    for (const code of codesOf(row))
      expect(whyNever(code) !== undefined, code).toBe(tryAgain === 'never');
  });
});

test('no code and no phrase stands twice, and no code both approves and declines', () => {
  for (const all of [DECLINES.flatMap(codesOf), DECLINES.flatMap(phrasesOf)])
    expect(all).toHaveLength(new Set(all).size);
  for (const code of DECLINES.flatMap(codesOf)) expect(approvalOf(code)).toBeUndefined();
});

test('a customer hears nothing of a reason that nobody knows', () => {
  expect(NO_ADVICE.join(' ')).not.toMatch(/lost|stolen|fraud/i);
});

test.each(['00', '08', '10', '11', '16', '85', '000', '001', '002', '007'])('%s approves', (code) =>
  expect(approvalOf(code)).toMatch(/^The bank approved /),
);

describe('every answer of the test gateway is explained', () => {
  const answers = (['approve', 'decline', 'by-amount'] as const).flatMap((one) => [
    ...answersTo(one),
  ]);

  test.each(answers.filter(({ successful }) => !successful))('$message', ({ message, codes }) => {
    expect(declineOfMessage(message)).toBeDefined();
    for (const code of codes) expect(declineOfCode(code)).toBeDefined();
  });

  test.each(answers.filter(({ successful }) => successful))('$message', ({ message, codes }) => {
    expect(declineOfMessage(message)).toBeUndefined();
    for (const code of codes) expect(approvalOf(code)).toBeDefined();
  });
});

describe('a message', () => {
  test.each([
    ['Insufficient funds', '51'],
    ['INSUFFICIENT_FUNDS', '51'],
    ['DECLINED: NSF', '51'],
    ['(51)', '51'],
    ['Declined [51]', '51'],
    ['Declined, response code 51', '51'],
    ['51 Not sufficient funds', '51'],
    ['n7: decline', 'N7'],
    ['DECLINED - Do not honour', '05'],
    ['Do Not Honor', '05'],
    ['Declined', '05'],
    ['The card was declined.', '05'],
    ['Transaction declined', '05'],
    ['Refer to Card Issuer', '01'],
    ['Call issuer', '01'],
    ['Lost Card - Pick Up', '41'],
    ['Pick up card (stolen card)', '04'],
    ['Expired Card—Pick Up', '33'],
    ['Your card has expired', '54'],
    ['Exceeds withdrawal frequency limit', '65'],
    ['Exceeds Withdrawal Amount Limits', '61'],
    ['CVV mismatch', 'N7'],
    ['CVV2 failure', 'N7'],
    ['Transaction not permitted to cardholder', '57'],
    ['Transaction not permitted to terminal', '58'],
    ['Revocation of all authorizations', 'R3'],
    ['Declined - Please Retry', '90'],
    ['System Error - Contact Gateway if error persists', '96'],
    ['Issuer or switch is inoperative', '91'],
    ['Additional customer authentication required', '1A'],
  ])('%j means what %s means', (message, code) =>
    expect(declineOfMessage(message)).toBe(declineOfCode(code)),
  );

  test.each([
    ...['', ' ', 'Approved', 'approved (00)', 'voided', 'INV-51', 'DECLINED-51', '071-P-IE49OSAF'],
    ...['Ada Byron', 'ada@example.com', '5100 paid', 'a declined invitation', 'Frauda Lostein'],
    ...['nonsense', '(99999)', 'constructor', '__proto__', 'code', 'Reference can’t be blank'],
  ])('%j says nothing that gw knows', (message) =>
    expect(declineOfMessage(message)).toBeUndefined(),
  );
});

describe('a code and a message', () => {
  test('the code decides, because gateways send one message for several codes', () =>
    expect(declineOf('43', 'Refer to Card Issuer')).toBe(declineOfCode('43')));
  test.each([null, '17', '64', 'ZZ', '00'])(
    'the message decides without a known code: %j',
    (code) => expect(declineOf(code, 'Insufficient Funds')).toBe(declineOfCode('51')),
  );
  test.each(['51 54', '5', '', 'toString', 'n7', '０５'])('%j is no code', (code) =>
    expect(declineOfCode(code)).toBeUndefined(),
  );
});

describe('advice fits what happened since', () => {
  const advice = (code: string, since: { times: number; days: number }) =>
    adviceOn(declineOfCode(code) as Decline, since);

  test.each(['05', '51', '61', '65', '91', '96'])('%s three times in a row', (code) => {
    const [tryAgain, when, say] = advice(code, { times: 3, days: 0 });
    expect(tryAgain).toBe('after-customer');
    expect(when).toContain('Or ask for another card.');
    expect(say).toContain('call the number on the back of your card');
  });

  test.each(['61', '65', '91', '96'])('%s, and the hour or day has passed', (code) => {
    expect(advice(code, { times: 1, days: 1 })[1]).toMatch(/^Now, /);
    expect(advice(code, { times: 1, days: 0 })[1]).not.toMatch(/^Now, /);
  });

  test.each(['05', '51', '14', '41', '54', '12'])('%s names no hour, so it stays', (code) => {
    expect(advice(code, { times: 2, days: 30 })).toBe(adviceOn(declineOfCode(code) as Decline));
  });

  test.each(['14', '41', '54', '12', '94'])('%s asks for more than another try', (code) => {
    expect(advice(code, { times: 9, days: 30 })).toBe(adviceOn(declineOfCode(code) as Decline));
  });
});
