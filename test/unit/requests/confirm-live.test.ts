/** A number that a person gives after reading a list. */
import { expect, test } from 'vitest';
import { orFailure } from '../../../src/failure.ts';
import type { Prompts } from '../../../src/host/host.ts';
import { confirmCount } from '../../../src/requests/confirm-live.ts';

/** A person who types something. */
const typing = (typed: string) => ({ prompts: { text: async () => typed } as unknown as Prompts });
const NOBODY = { prompts: {} as Prompts };

test.each([
  [3, '3', NOBODY, false],
  [0, '0', NOBODY, false],
  [3, undefined, typing('3'), true],
  [0, undefined, typing('0'), true],
])('%i is confirmed by %j or what is typed', async (count, given, host, mayAsk) => {
  const options = { confirmedProfile: given, mayAsk };
  expect(await orFailure(confirmCount(host, options, count, 'how many'))).toBeUndefined();
});

test.each([
  [3, '2', NOBODY, true, 'not-confirmed'],
  [3, '03', NOBODY, true, 'not-confirmed'],
  [3, 'live', NOBODY, true, 'not-confirmed'],
  [3, '', NOBODY, true, 'not-confirmed'],
  [0, undefined, typing(''), true, 'not-confirmed'],
  [3, undefined, typing('y'), true, 'not-confirmed'],
  [3, undefined, NOBODY, false, 'nobody-to-confirm'],
])('%i is not confirmed by %j or something else', async (count, given, host, mayAsk, code) => {
  const options = { confirmedProfile: given, mayAsk };
  expect(await orFailure(confirmCount(host, options, count, 'how many'))).toMatchObject({
    ...{ kind: 'guard', code },
    next: expect.stringContaining(`--confirm ${count}`),
  });
});
