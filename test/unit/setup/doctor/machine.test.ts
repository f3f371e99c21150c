import { expect, test } from 'vitest';
import { profilesFile } from '../../../../src/client/profiles/store.ts';
import { createFiles } from '../../../../src/host/files/files.ts';
import { checkConfiguration } from '../../../../src/setup/doctor/machine.ts';
import { temporaryDirectory } from '../../../helpers/temporary.ts';

const SHOP = { environment: 'sandbox', baseUrl: 'https://gateway.example' };

function check(content: object | string | undefined, hasEnvironment = false) {
  const files = createFiles({ HOME: temporaryDirectory() });
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  if (content !== undefined) files.writePrivate(profilesFile(files), text);
  return checkConfiguration(files, hasEnvironment);
}

test('profiles and the default one are said', async () => {
  const { state, message } = await check({ default: 'shop', profiles: { shop: SHOP } });
  expect([state, message]).toEqual(['ok', expect.stringMatching(/^1 profile in .*; shop is the/)]);
});

test('there need not be a default profile', async () => {
  expect(await check({ profiles: { shop: SHOP } })).toMatchObject({ state: 'ok' });
});

test('that no profile is set up is a warning, unless the environment makes one', async () => {
  expect(await check(undefined)).toMatchObject({
    state: 'warning',
    next: expect.stringContaining('`gw login sandbox`'),
  });
  expect(await check(undefined, true)).toMatchObject({ state: 'ok' });
});

test('a default profile that is not there is a warning, with one that is', async () => {
  expect(await check({ default: 'gone', profiles: { shop: SHOP } })).toMatchObject({
    state: 'warning',
    next: 'Choose another, for example with `gw profile use shop`.',
  });
});

test.each(['{', { profiles: { shop: { ...SHOP, maxAmmount: 1 } } }])(
  'a file that cannot be used fails',
  async (content) => {
    expect(await check(content)).toMatchObject({ state: 'failed', kind: 'usage' });
  },
);
