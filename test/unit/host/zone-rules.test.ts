import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openTimeZone } from '../../../src/base/time-zone.ts';
import { checkTimeZone } from '../../../src/commands/doctor/machine.ts';
import { differenceOfRules } from '../../../src/host/zone-rules.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';

/** As `zic -b slim` writes `Zone America/Havana -5:00 - CST`: a zone that never puts its clocks forward. */
const FIVE_BEHIND =
  'VFppZjIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAAAAEAAAAAAAAAVFppZjIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAAAAT//7mwAABDU1QACkNTVDUK';

/** A folder like /usr/share/zoneinfo. */
function system(zones: readonly string[], release?: string): void {
  const folder = temporaryDirectory();
  for (const zone of zones) {
    mkdirSync(path.dirname(path.join(folder, zone)), { recursive: true });
    writeFileSync(path.join(folder, zone), Buffer.from(FIVE_BEHIND, 'base64'));
  }
  if (release) writeFileSync(path.join(folder, 'tzdata.zi'), `# version ${release}\nZ x\n`);
  vi.stubEnv('TZDIR', folder);
}

afterEach(() => vi.unstubAllEnvs());

const clock = {
  now: () => new Date('2026-03-24T12:00:00Z'),
  uptimeMs: () => 0,
  sleep: async () => {},
};

// `date` of other systems takes no list of times.
describe.skipIf(process.platform !== 'linux')('rules of Node and of the system', () => {
  const havana = openTimeZone('America/Havana');

  test.each([
    ['2026-06-01', '2026-07-01', '2026-06-01'],
    ['2026-03-01', '2026-04-01', '2026-03-08'],
    // The first day after the period: where it ends.
    ['2026-03-01', '2026-03-08', '2026-03-08'],
    ['1990-01-01', '2026-04-01', '2022-03-13'],
  ])('from %s to %s differ on %s', (first, next, day) => {
    system(['America/Havana'], '2026f');
    expect(differenceOfRules(havana, { first, next })).toEqual([
      `For America/Havana, Node's rules (${process.versions.tz}) and this system's (2026f) differ, for example on ${day}. gw counts days by Node's.`,
      'Update the older rules: "Time zones" in docs/output.md says how.',
    ]);
  });

  test.each([
    ['America/Havana', '2026-01-01', '2026-02-01'],
    ['America/Panama', '2026-01-01', '2028-01-01'],
    ['Etc/GMT+5', '2026-01-01', '2028-01-01'],
  ])('of %s from %s to %s do not differ', (name, first, next) => {
    system([name], '2026f');
    expect(differenceOfRules(openTimeZone(name), { first, next })).toEqual([]);
  });

  test('are not compared for a zone that the system does not have', () => {
    system([]);
    expect(differenceOfRules(havana, { first: '2026-06-01', next: '2026-07-01' })).toEqual([]);
  });

  test('are not compared without a `date` that takes a list of times', () => {
    system(['America/Havana']);
    vi.stubEnv('PATH', temporaryDirectory());
    expect(differenceOfRules(havana, { first: '2026-06-01', next: '2026-07-01' })).toEqual([]);
  });

  test('of an unknown release differ as well', () => {
    system(['America/Havana']);
    const [message] = differenceOfRules(havana, { first: '2026-06-01', next: '2026-07-01' });
    expect(message).toContain("this system's (of an unknown release) differ");
  });

  test('are compared by the doctor for the zone in use', () => {
    system(['America/Havana', 'America/Panama'], '2026f');
    const found = (TZ: string) => checkTimeZone({ env: { TZ }, clock });
    expect(found('America/Havana')).toMatchObject({
      state: 'warning',
      message: expect.stringContaining('differ, for example on 2026-03-08'),
      next: expect.stringContaining('docs/output.md'),
    });
    expect(found('America/Panama')).toEqual({
      state: 'ok',
      message: 'days are counted in America/Panama',
    });
    expect(found('AEST-10')).toMatchObject({
      state: 'warning',
      message: expect.stringContaining('TZ is "AEST-10"'),
      next: 'Set TZ to a name such as Australia/Sydney, or give --time-zone.',
    });
  });
});
