import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openState } from '../../../../src/emulator/state.ts';
import { checkEmbeddedState, checkServed } from '../../../../src/setup/doctor/embedded-gateway.ts';
import { standingClock } from '../../../helpers/client.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const clock = standingClock();
const file = () => path.join(temporaryDirectory(), 'emulator.db');

test('state that is not there yet is not made', async () => {
  const at = file();
  expect(await checkEmbeddedState(at, 0, clock)).toMatchObject({ state: 'ok' });
  expect(existsSync(at)).toBe(false);
});

test('state is said with its clock and its dialect', async () => {
  const at = file();
  openState({ path: at, clock }).close();
  expect((await checkEmbeddedState(at, 1, clock)).message).toBe(
    `${at}; its clock is at 2026-03-10T09:30:00Z; deployed dialect`,
  );
});

test('state that cannot be read fails, with what makes a new one', async () => {
  const at = file();
  writeFileSync(at, 'nothing of ours '.repeat(500));
  expect(await checkEmbeddedState(at, 1, clock)).toMatchObject({
    state: 'failed',
    kind: 'usage',
    next: expect.stringContaining('`gw emulator reset`'),
  });
});

test('whether it is served is never a fault', () => {
  expect([checkServed(true).state, checkServed(false).state]).toEqual(['ok', 'ok']);
});
