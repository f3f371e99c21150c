/** Pauses that a gateway asks for: what a run says, and when it stops instead. */
import { expect, test } from 'vitest';
import type { Line } from '../../../../../src/requests/batch/engine/batch.ts';
import { NOW } from '../../../../helpers/client.ts';
import { DONE, runLines } from './support.ts';

const NOT_NOW = {
  outcome: 'rejected',
  isEarlier: false,
  mayRepeat: { why: 'it is too much' },
} as const;

/** @returns what is said where the first attempts are answered with these headers, and why the run ends */
async function busy(...values: readonly string[]) {
  let now = new Date(NOW).getTime();
  const clock = {
    now: () => new Date(now),
    async sleep(ms: number) {
      now += ms;
    },
  };
  let allSent: () => void = () => undefined;
  const all = new Promise<void>((resolve) => {
    allSent = resolve;
  });
  const send = async ({ number }: Line, times: number) => {
    if (times > 1) return DONE;
    if (number === values.length) allSent();
    // All wait here, so that they are answered at the same time.
    await all;
    return { ...NOT_NOW, busy: { retryAfter: values[number - 1] } };
  };
  const { said, stoppedBy } = await runLines(values.length, send, { clock });
  const lines = said.split(/(?<=\n)/).filter(Boolean);
  return { said: [...new Set(lines)], times: lines.length, reason: stoppedBy };
}

test.each([
  ['60', 'in 60 s, on 2026-03-10 at 09:31:00 UTC'],
  ['120', 'in 120 s, on 2026-03-10 at 09:32:00 UTC'],
  ['Tue, 10 Mar 2026 09:30:30 GMT', 'in 30 s, on 2026-03-10 at 09:30:30 UTC'],
])('a pause until %s is reported once with its end', async (value, end) => {
  expect(await busy(value, value)).toMatchObject({
    said: [`The gateway is busy or cannot be reached. gw tries again ${end}.\n`],
    times: 1,
    reason: undefined,
  });
});

test.each(['-5', '1e99', 'soon', '', '1', '2'])(
  'a short pause (%j) is not reported',
  async (value) => {
    expect(await busy(value)).toMatchObject({ said: [], reason: undefined });
  },
);

test.each([
  ['121', '2026-03-10 at 09:32:01 UTC'],
  ['3600', '2026-03-10 at 10:30:00 UTC'],
  ['Thu, 01 Jan 2099 00:00:00 GMT', '2099-01-01 at 00:00:00 UTC'],
])(
  'a pause over two minutes (%s) ends the run, and the message says until when',
  async (value, end) => {
    const { reason } = await busy(value);
    expect(reason?.why).toContain(`a pause until ${end}`);
    expect(reason?.next).toBe(`The gateway takes requests again on ${end}.`);
  },
);

test.each(['99999999999999999999', '9'.repeat(400)])(
  'a pause beyond all dates ends the run: %s',
  async (value) => {
    expect((await busy(value)).reason?.next).toContain('Ask whoever runs the gateway');
  },
);
