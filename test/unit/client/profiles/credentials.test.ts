import { format, inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  checkCredentials,
  deleteCredentials,
  loadCredentials,
  parseCredentials,
  Secret,
  saveCredentials,
} from '../../../../src/client/profiles/credentials.ts';
import { accountOf } from '../../../../src/client/profiles/profile.ts';
import { failureOf } from '../../../helpers/failure.ts';

function memoryKeychain() {
  const secrets = new Map<string, string>();
  return {
    secrets,
    get: async (account: string) => secrets.get(account),
    set: async (account: string, secret: string) => {
      secrets.set(account, secret);
      return { held: secrets.get(account), hasOthers: false };
    },
    delete: async (account: string) => secrets.delete(account),
  };
}

describe('credentials', () => {
  test("credentials are stored as JSON under the profile's name and read back", async () => {
    const keychain = memoryKeychain();
    await saveCredentials(keychain, 'live', { username: 'ada "x"', apiToken: new Secret('tök-1') });
    expect(JSON.parse(keychain.secrets.get('live')!)).toEqual({
      username: 'ada "x"',
      apiToken: 'tök-1',
    });
    const loaded = await loadCredentials(keychain, 'live');
    expect(loaded?.username).toBe('ada "x"');
    expect(loaded?.apiToken.reveal()).toBe('tök-1');
    expect(await deleteCredentials(keychain, 'live')).toMatch(/^Removed/);
    expect(await deleteCredentials(keychain, 'live')).toBe(
      'The keychain holds no credentials for live.',
    );
    expect(await loadCredentials(keychain, 'live')).toBeUndefined();
  });

  test.each([
    ['"TEST"', 'begins with " and ends with "'],
    ["'TEST'", "begins with ' and ends with '"],
    ['`TEST`', 'begins with ` and ends with `'],
    ['\u201cTEST\u201d', 'begins with \u201c and ends with \u201d'],
    ['\u201eTEST\u201c', 'begins with \u201e and ends with \u201c'],
    ['\u2018TEST\u2019', 'begins with \u2018 and ends with \u2019'],
    ['\u00abTEST\u00bb', 'begins with \u00ab and ends with \u00bb'],
    ['<TEST>', 'begins with < and ends with >'],
    [' TEST', 'begins with a space'],
    ['TEST ', 'ends with a space'],
    ['\u00a0TEST', 'begins with an invisible character (U+00A0)'],
    ['TEST\u3000', 'ends with an invisible character (U+3000)'],
    ['\ufeffTEST', 'begins with an invisible character (U+FEFF)'],
    ['TEST\u200b', 'ends with an invisible character (U+200B)'],
    ['TE\u00adST', 'is written with an invisible character (U+00AD)'],
    ['TE\u{e0041}ST', 'is written with an invisible character (U+E0041)'],
    [' \ufeff"TEST"', 'is written with an invisible character (U+FEFF)'],
    ['TEST\r', 'contains a line break or control character'],
  ])('credentials of %j are refused, with what surrounds them', async (text, fault) => {
    for (const [name, pair] of [
      ['API token', ['ada', text]],
      ['username', [text, 'tok-1']],
    ] as const) {
      const failure = await failureOf(() => checkCredentials(pair[0], pair[1], 'It', 'Next.'));
      expect(failure.code).toBe('credentials-invalid');
      expect(failure.message).toBe(`It cannot be used: the ${name} ${fault}.`);
      expect(failure.message).not.toContain('TEST');
    }
  });

  test.each([
    ...["O'Neill", 'ada "x"', 'ada byron', '"x', 'x"', "'", '"', 'a\u00a0b', '<x', 'x=', 'tök-1'],
    ...['\u{1f469}\u200d\u{1f4bb}', 'علی\u200cرضا'],
  ])('credentials of %j are taken', (text) => {
    const { username, apiToken } = checkCredentials(text, text, 'It', 'Next.');
    expect([username, apiToken.reveal()]).toEqual([text, text]);
  });

  test.each(['local', 'environment', 'Bad'])('credentials are not stored for %s', async (name) => {
    const keychain = memoryKeychain();
    const credentials = { username: 'a', apiToken: new Secret('b') };
    expect((await failureOf(() => saveCredentials(keychain, name, credentials))).kind).toBe(
      'usage',
    );
    expect((await failureOf(() => deleteCredentials(keychain, name))).kind).toBe('usage');
    expect(keychain.secrets.size).toBe(0);
  });

  const OTHER = '{"username":"OTHER","apiToken":"tok-9"}';
  test.each([
    ['earlier credentials', OTHER, 'It has earlier ones of OTHER.'],
    ['other text', 'tok-9', 'It has an earlier entry.'],
    ['an empty text', '', 'It has an earlier entry.'],
    ['nothing', undefined, 'It has nothing that gw may read.'],
    ['the same account', '{"username":"ada","apiToken":"tok-9"}', 'It has earlier ones of ada.'],
  ])('a keychain that has %s after storing fails', async (_, held, said) => {
    const keychain = { set: async () => ({ held, hasOthers: true }) };
    const credentials = { username: 'ada', apiToken: new Secret('tok-1') };
    const failure = await failureOf(() => saveCredentials(keychain, 'live', credentials));
    expect(failure).toMatchObject({ kind: 'auth', code: 'keychain-not-stored', exitCode: 3 });
    expect(failure.message).toBe(`The keychain did not store the credentials of live. ${said}`);
    expect(`${failure.next} ${failure.cause}`).not.toMatch(/tok-/);
  });

  test.each([
    [false, ''],
    [true, 'Note: the keychain has another entry'],
  ])(
    'credentials are stored, and whether there is another entry (%s) is said',
    async (hasOthers, said) => {
      const keychain = { set: async (_: string, held: string) => ({ held, hasOthers }) };
      const credentials = { username: 'ada', apiToken: new Secret('tok-1') };
      const note = await saveCredentials(keychain, 'live', credentials);
      expect(note.startsWith(said) && (note === '') === !hasOthers).toBe(true);
    },
  );

  test('credentials in an unknown form in the keychain must be stored again', async () => {
    const keychain = memoryKeychain();
    keychain.secrets.set('live', 'tok-1');
    const failure = await failureOf(() => loadCredentials(keychain, 'live'));
    expect(failure.kind).toBe('auth');
    expect(failure.message).toMatch(/^The keychain entry for live is not valid JSON: /);
    expect(failure.next).toBe('Run `gw login live` to store it again.');
  });

  test.each(['apiToken', 'api_token', 'token'])(
    'a credential command may print the token under the name %s',
    async (name) => {
      const text = `\n{"username":"ada","${name}":"tok-1","other":1}\n`;
      const { username, apiToken } = await parseCredentials(text, 'It', 'Next.');
      expect([username, apiToken.reveal()]).toEqual(['ada', 'tok-1']);
    },
  );

  test.each([
    [
      'tok-1',
      'is not valid JSON: a name or value is missing, or not in double quotes at line 1, column 1',
    ],
    ['', 'is not valid JSON: it is empty'],
    ['"tok-1"', 'cannot be used: the username is missing'],
    ['["tok-1"]', 'cannot be used: the username is missing'],
    ['{"username":"ada"}', 'cannot be used: the API token is missing'],
    ['{"username":"","apiToken":"tok-1"}', 'cannot be used: the username is missing'],
    ['{"username":"ada","apiToken":7}', 'cannot be used: the API token is not text'],
    ['{"username":"a:da","apiToken":"tok-1"}', 'the username contains a colon'],
    ['{"username":"ada","apiToken":"tok-1\\n"}', 'the API token contains a line break'],
  ])('the stored text %j is refused, and the message does not repeat it', async (text, fault) => {
    const failure = await failureOf(() => parseCredentials(text, 'It', 'Next.'));
    expect(failure).toMatchObject({ kind: 'auth', next: 'Next.' });
    expect(failure.message).toContain(fault);
    expect(`${failure.message}${String(failure.cause)}`).not.toContain('tok-1');
  });

  test('credentials have a greatest length', async () => {
    const token = await failureOf(() => checkCredentials('a', 'x'.repeat(4097), 'It', 'Next.'));
    expect(token.message).toContain('the API token is longer than 4096 characters');
    const name = await failureOf(() => checkCredentials('a'.repeat(256), 'x', 'It', 'Next.'));
    expect(name.message).toContain('the username is longer than 255 characters');
  });
});

test('an account is its environment and username', () => {
  // Journals hold it: another form would make every request of before unknown.
  expect(accountOf('sandbox', 'shop')).toBe('sandbox/shop');
});

test('another environment or username means another account', () => {
  const accounts = [
    accountOf('sandbox', 'shop'),
    accountOf('live', 'shop'),
    accountOf('local', 'shop'),
    accountOf('live', 'Shop'),
    accountOf('live', 'shop '),
  ];
  expect(new Set(accounts).size).toBe(accounts.length);
});

test('a gateway on this machine is identified by its port, whatever its host is called', () => {
  const at = (url: string) => accountOf('sandbox', 'shop', new URL(url));
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '127.0.0.2', '2130706433'])
    expect(at(`http://${host}:4010`)).toBe('sandbox/shop:4010');
  expect(at('http://127.0.0.1:4011')).toBe('sandbox/shop:4011');
  expect(at('http://localhost')).toBe('sandbox/shop:80');
  expect(at('https://localhost')).toBe('sandbox/shop:443');
});

test('other gateways may have several names, and the embedded one has none', () => {
  for (const url of ['https://gateway.example', 'https://gateway.example:8443', 'https://10.0.0.1'])
    expect(accountOf('live', 'shop', new URL(url))).toBe('live/shop');
  const local = accountOf('local', 'TEST', new URL('http://127.0.0.1:4010'));
  expect(local).toBe(accountOf('local', 'TEST'));
});

describe('a secret', () => {
  const secret = new Secret('tok-1');

  test('a secret reveals its text on request', () => {
    expect(secret.reveal()).toBe('tok-1');
  });

  test('a secret shows its text in no other way', () => {
    const shown = [
      String(secret),
      `${secret}`,
      JSON.stringify({ secret }),
      inspect({ secret }, { showHidden: true, depth: 9 }),
      format('%s %o %j', secret, secret, secret),
      JSON.stringify({ ...secret }),
      Object.entries(secret).join(),
      new Error(`${secret}`).message,
    ];
    expect(shown.join()).not.toContain('tok-1');
    expect(shown[0]).toBe('***');
  });
});
