import { describe, expect, test } from 'vitest';
import { connectToSessionBus, sessionBusPath } from '../../../../src/host/keychain/dbus.ts';

describe('the address of the session bus', () => {
  test.each([
    ['unix:path=/run/user/1000/bus', '/run/user/1000/bus'],
    ['unix:path=/tmp/a%20b,guid=123', '/tmp/a b'],
    ['unix:guid=123,path=/tmp/bus', '/tmp/bus'],
    ['unix:abstract=/tmp/dbus-1,guid=1', '\0/tmp/dbus-1'],
    ['tcp:host=localhost,port=1;unix:path=/tmp/bus', '/tmp/bus'],
    ['unix:runtime=yes', '/run/user/1/bus'],
    ['', '/run/user/1/bus'],
    [undefined, '/run/user/1/bus'],
    ['autolaunch:', undefined],
  ])(
    'the session bus of DBUS_SESSION_BUS_ADDRESS=%j is at %j',
    (DBUS_SESSION_BUS_ADDRESS, expected) => {
      expect(sessionBusPath({ DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR: '/run/user/1' })).toBe(
        expected,
      );
    },
  );

  test('the address of the session bus may lead nowhere', async () => {
    expect(await connectToSessionBus({}, 1000)).toBeUndefined();
    const env = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/bus' };
    expect(await connectToSessionBus(env, 60_000)).toBeUndefined();
  });
});
