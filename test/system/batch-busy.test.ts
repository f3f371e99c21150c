/** A batch whose gateway takes no more requests for a while: it says so, ends where that is long, and goes on later. */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { gw, type Place, placeFor, startGw, writeRefunds } from '../helpers/batch.ts';
import { type FaultGateway, startFaultGateway } from '../helpers/fault-gateway.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';

const LINES = 5;

let gateway: FaultGateway;
let place: Place;
let command: string[];

beforeEach(async () => {
  gateway = await startFaultGateway({ seed: 1, perMille: {} });
  onTestFinished(() => gateway.close());
  place = placeFor(temporaryDirectory(), gateway.url);
  const { file } = writeRefunds(place, await gateway.purchases(1, 10_000), LINES);
  command = ['refund', 'batch', file, '--concurrency', '1'];
  gateway.options.perMille = { '429': 1_000 };
});

/** The same command, when the gateway takes requests again, sends each line once. */
async function goesOn(): Promise<void> {
  gateway.options.perMille = {};
  gateway.options.retryAfter = '0';
  // The rest of the busy time passes, too.
  for (let n = 0; n < 4 && gateway.refunds().size < LINES; n++) await gw(place, command);
  expect([...gateway.refunds().values()]).toEqual(Array(LINES).fill(1));
  expect((await gw(place, command)).code).toBe(0);
}

test.each(['3600', 'Thu, 01 Jan 2099 00:00:00 GMT', '99999999999999999999'])(
  'a batch that must wait until %j stops, says until when, and can go on',
  async (retryAfter) => {
    gateway.options.retryAfter = retryAfter;
    const { code, stderr } = await gw(place, command);
    expect(code).toBe(9);
    expect(gateway.requests()).toBe(1);
    expect(stderr).toMatch(/5 lines are not done. No more were started: .* asks for a pause until/);
    expect(stderr).toMatch(
      /takes requests again (on \d{4}-\d\d-\d\d at|\.)|when it takes requests/,
    );
    expect(stderr).toMatch(/4 lines were not sent by this run: run `gw refund batch .*` again/);
    expect(stderr).toContain('The gateway was too busy for 1 line');
    expect(stderr).not.toContain('correct it');
    if (retryAfter === '3600') await goesOn();
  },
);

test.each(['SIGINT', 'SIGTERM'] as const)(
  'a waiting batch says for how long, and %s ends it at once',
  async (signal) => {
    gateway.options.retryAfter = '60';
    const running = startGw(place, command);
    await running.printed(/tries again in 60 s, on \d{4}-\d\d-\d\d at \d\d:\d\d:\d\d UTC/);
    running.child.kill(signal);
    const { stderr } = await running.ended;
    expect(stderr.match(/tries again/g)).toHaveLength(1);
    expect(stderr).toContain('The gateway was too busy for 1 line and processed nothing of it');
    expect(stderr).not.toMatch(/would reject|correct it/);
    expect(gateway.requests()).toBe(1);
    await goesOn();
  },
);
