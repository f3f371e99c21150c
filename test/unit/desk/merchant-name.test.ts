/** The merchant's name is asked for once and kept; a profile's own name is never at the head of a page. */
import { describe, expect, test } from 'vitest';
import { readProfiles } from '../../../src/client/profiles/store.ts';
import { CTRL_C, runCommand, type TestHostOptions } from '../../helpers/cli.ts';
import { temporaryDirectory } from '../../helpers/temporary.ts';

const SHOP = { environment: 'sandbox', baseUrl: 'https://gateway.example' } as const;
const CREDENTIALS = { GW_USERNAME: 'shop', GW_API_TOKEN: 'secret-token' };
const ENV = { ...CREDENTIALS, GW_PROFILE: 'shop', TZ: 'UTC' };
const QUESTION = "The merchant's name, for the head of receipts and reports (empty for none now):";

/** @returns the heading of the owner's page, and what was said and asked */
async function page(options: TestHostOptions) {
  const argv = ['report', 'month', '2026-01', '--html', '-'];
  const result = await runCommand('fast path', argv, { env: ENV, ...options });
  const { stdout, stderr, failure, host } = result;
  const [, head] = /<h1>(.*)<\/h1>/.exec(stdout) ?? [];
  return { head, stderr, failure, asked: host.asked, files: host.files };
}

describe("the owner's page", () => {
  test('a name that is typed once is kept for the next page', async () => {
    const home = temporaryDirectory();
    const first = await page({ home, profiles: { shop: SHOP }, answers: ['Corner & Shop'] });
    expect(first.asked).toEqual([QUESTION]);
    expect(first.head).toBe('Corner &amp; Shop: January 2026');
    expect(first.stderr).toContain('Kept for the profile shop');
    const { profiles } = await readProfiles(first.files);
    expect(profiles.get('shop')).toEqual({
      ...SHOP,
      baseUrl: 'https://gateway.example/',
      merchantName: 'Corner & Shop',
    });
    const second = await page({ home, answers: [] });
    expect(second).toMatchObject({ head: 'Corner &amp; Shop: January 2026', asked: [] });
  });

  test('an empty name is none', async () => {
    const { head, asked, stderr } = await page({ profiles: { shop: SHOP }, answers: [''] });
    expect(asked).toEqual([QUESTION]);
    expect(head).toBe('January 2026');
    expect(stderr).toContain(
      '`gw profile set shop --merchant-name "Corner Shop"` names it for this profile.\n',
    );
  });

  test('a question that is cancelled leaves no page', async () => {
    const { failure, head } = await page({ profiles: { shop: SHOP }, answers: [CTRL_C] });
    expect(failure).toMatchObject({ code: 'cancelled', next: 'Nothing was written.' });
    expect(head).toBeUndefined();
  });

  test.each<[what: string, TestHostOptions]>([
    ['a profile in a pipe', { profiles: { shop: SHOP } }],
    [
      'a profile where gw may not ask',
      { profiles: { shop: SHOP }, answers: [], env: { ...ENV, GW_PROMPT: 'off' } },
    ],
    ['the test gateway', { answers: [], env: { GW_PROFILE: 'local', TZ: 'UTC' } }],
    [
      'the profile of the variables',
      {
        answers: [],
        env: {
          ...CREDENTIALS,
          GW_BASE_URL: 'https://gateway.example',
          GW_ENVIRONMENT: 'live',
          TZ: 'UTC',
        },
      },
    ],
  ])(
    '%s without a name has the period alone at the head, and says how to set one',
    async (_, options) => {
      const { head, asked, stderr } = await page(options);
      expect({ head, asked }).toEqual({ head: 'January 2026', asked: [] });
      expect(stderr).toMatch(
        /^No merchant is named at the head(?:, and the profile \w+ keeps none)?: `gw profile set \S+ --merchant-name/m,
      );
    },
  );
});
