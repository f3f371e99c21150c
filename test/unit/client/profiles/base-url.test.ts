import { describe, expect, test } from 'vitest';
import { parseBaseUrl } from '../../../../src/client/profiles/base-url.ts';
import { failureOf } from '../../../helpers/failure.ts';

describe('a base address', () => {
  test.each([
    ['https://gateway.example.com', 'https://gateway.example.com/'],
    ['https://gateway.example.com///', 'https://gateway.example.com/'],
    ['HTTPS://Gateway.Example.com:443/api/', 'https://gateway.example.com/api'],
    ['https://gateway.example.com:8443/a/b', 'https://gateway.example.com:8443/a/b'],
    ['http://localhost:4010', 'http://localhost:4010/'],
    ['https://gateway.example.com/v1.0', 'https://gateway.example.com/'],
    ['https://gateway.example.com/v1.0/', 'https://gateway.example.com/'],
    ['https://gateway.example.com//V1.0//', 'https://gateway.example.com/'],
    ['https://gateway.example.com/api/v1.0', 'https://gateway.example.com/api'],
    ['https://gateway.example.com/api/v1.01', 'https://gateway.example.com/api/v1.01'],
    ['https://gateway.example.com/v1', 'https://gateway.example.com/v1'],
    ['https://gateway.example.com/av1.0', 'https://gateway.example.com/av1.0'],
    ['http://127.0.0.1:4010/', 'http://127.0.0.1:4010/'],
    ['http://127.1.2.3', 'http://127.1.2.3/'],
    ['http://[::1]:80/x', 'http://[::1]/x'],
    ['http://2130706433', 'http://127.0.0.1/'],
  ])('the base address %s is stored as %s', (text, href) => {
    expect(parseBaseUrl(text, '--base-url').href).toBe(href);
  });

  test.each([
    ['http://gateway.example.com', 'begins with http://'],
    ['http://localhost.example.com', 'begins with http://'],
    ['http://127.0.0.1.example.com', 'begins with http://'],
    ['http://128.0.0.1', 'begins with http://'],
    ['http://[::ffff:8.8.8.8]', 'begins with http://'],
    ['http://0.0.0.0', 'begins with http://'],
    ['http://user@127.0.0.1', 'contains credentials'],
    ['https://ada:pw-1@gateway.example.com', 'contains credentials'],
    ['https://gateway.example.com\\@evil.example', 'has a space, a backslash'],
    ['https://gateway.example.com?x=1', 'contains a query or a fragment'],
    ['https://gateway.example.com/#', 'contains a query or a fragment'],
    ['https://gateway.example.com/v1.0/purchases', 'has the path of a request'],
    ['https://gateway.example.com/a/V1.0//plans.json', 'has the path of a request'],
    ['https://gateway.example.com/v1.0/v1.0', 'has the path of a request'],
    ['gateway.example.com', 'does not begin with https://'],
    ['ftp://gateway.example.com', 'does not begin with https://'],
    ['https:gateway.example.com', 'does not begin with https://'],
    ['https://', 'is not an address'],
    ['https://a b', 'has a space'],
    [' https://gateway.example.com', 'has a space'],
    ['https://gate\nway.example.com', 'control character'],
    [`https://x/${'a'.repeat(3000)}`, 'is longer than 2048 characters'],
    ['', 'does not begin with https://'],
  ])('the base address %j is refused', async (text, fault) => {
    const failure = await failureOf(() => parseBaseUrl(text, 'GW_BASE_URL'));
    expect(failure.kind).toBe('usage');
    expect(failure.message).toContain(
      `GW_BASE_URL ${fault}`.replace(/ control/, ' has a space, a backslash or a control'),
    );
    expect(failure.message).not.toContain('pw-1');
  });
});
