import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { nameTimeZone } from '../../../src/host/create.ts';
import { machineZone, timeZoneOf } from '../../../src/host/machine-zone.ts';
import { Capture } from '../../helpers/capture.ts';
import { failureOf } from '../../helpers/failure.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';

function named(TZ: string | undefined): string | undefined {
  const env: NodeJS.ProcessEnv = TZ === undefined ? {} : { TZ };
  nameTimeZone(env);
  return env.TZ;
}

describe('TZ', () => {
  test.each([
    ['Europe/London', 'Europe/London'],
    [':Europe/London', 'Europe/London'],
    [':posix/Europe/London', 'Europe/London'],
    ['right/Europe/London', 'Europe/London'],
    [':/nowhere/zoneinfo/Europe/London', 'Europe/London'],
    ['/nowhere/zoneinfo/posix/America/Argentina/Salta', 'America/Argentina/Salta'],
    ['/nowhere/zoneinfo.default/Asia/Tokyo', 'Asia/Tokyo'],
    ['UTC', 'UTC'],
    ['', ''],
    [':', ''],
    ['AEST-10', 'AEST-10'],
    ['/nowhere/else', '/nowhere/else'],
    [undefined, undefined],
  ])('%j is read as %j', (typed, name) => {
    expect(named(typed)).toBe(name);
  });

  test('is read as the zone to which it links', () => {
    const root = temporaryDirectory();
    const zone = path.join(root, 'zoneinfo/Australia/Sydney');
    mkdirSync(path.dirname(zone), { recursive: true });
    writeFileSync(zone, '');
    const link = path.join(root, 'localtime');
    symlinkSync(zone, link);
    expect(named(link)).toBe('Australia/Sydney');
    expect(named(`:${link}`)).toBe('Australia/Sydney');
  });

  test.each([
    ['Europe/London', 'Europe/London'],
    ['europe/london', 'europe/london'],
    ['EST5EDT', 'EST5EDT'],
    ['UTC', 'UTC'],
    ['', 'UTC'],
    ['UTC0', 'UTC'],
    ['GMT-0', 'UTC'],
    ['<UTC>0', 'UTC'],
  ])('%j is the zone %s', (TZ, name) => {
    expect(machineZone({ TZ })).toEqual({ name });
  });

  test.each([
    'AEST-10AEDT,M10.1.0,M4.1.0/3',
    'UTC+2',
    'EST5',
    '<+03>-3',
    'Foo/Bar',
    'BST',
    'AEST',
    'Kyiv',
    '+10:00',
    '/nowhere/else',
    ' ',
  ])('%j is unknown, so days are counted in UTC', (TZ) => {
    expect(machineZone({ TZ })).toEqual({
      name: 'UTC',
      problem: `TZ is ${JSON.stringify(TZ)}, which is not the name of a time zone, so days are counted in UTC.`,
      next: expect.any(String),
    });
  });

  test.each([
    ['Kyiv', 'Did you mean Europe/Kyiv?'],
    ['MSK', 'Did you mean Europe/Moscow?'],
    ['Foo/Bar', 'Set TZ to a name such as Australia/Sydney, or give --time-zone.'],
    [
      'AEST-10AEDT,M10.1.0,M4.1.0/3',
      'Set TZ to a name such as Australia/Sydney, or give --time-zone.',
    ],
  ])('%j is answered %j', (TZ, next) => {
    expect(machineZone({ TZ }).next).toBe(next);
  });

  test('that is not set leaves the zone of the system', () => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    expect(machineZone({})).toEqual({ name: timeZone });
  });
});

describe('the zone of a command', () => {
  test('that is unknown is said once, and only when something asks for it', () => {
    const host = { env: { TZ: 'Foo/Bar' }, stderr: new Capture() };
    const zone = timeZoneOf(host, undefined);
    expect(host.stderr.text).toBe('');
    expect(zone.name).toBe('UTC');
    expect(timeZoneOf(host, undefined).dayOf(0)).toBe('1970-01-01');
    expect(host.stderr.text).toBe(
      'TZ is "Foo/Bar", which is not the name of a time zone, so days are counted in UTC. Set TZ to a name such as Australia/Sydney, or give --time-zone.\n',
    );
  });

  test('that the user names needs none of this machine', async () => {
    const host = { env: { TZ: 'Foo/Bar' }, stderr: new Capture() };
    expect(timeZoneOf(host, 'Asia/Tokyo').name).toBe('Asia/Tokyo');
    expect((await failureOf(() => timeZoneOf(host, 'BST'))).code).toBe('time-zone-unknown');
    expect(host.stderr.text).toBe('');
  });
});
