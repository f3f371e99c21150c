/** Variables that make libraries, oclif and Node say what they do: nothing of it is a secret. */
import { describe, expect, test } from 'vitest';
import { answer, hostileServer } from '../helpers/hostile-server.ts';
import { gw } from './support.ts';

const CARD = '5123456789012346';
const TOKEN = 'shop-token-0x5ECRET';
/** No CVV, but refused as one, and long enough to be looked for. */
const CVV = '739173917391739';
const BASIC = Buffer.from(`shop:${TOKEN}`).toString('base64');

const APPROVED = JSON.stringify({
  successful: true,
  response: { id: '071-P-1AAAAAAA', successful: true, message: `Approved ${CARD}`, amount: 2500 },
  errors: [],
  test: true,
});
const PAY = ['purchase', 'create', '--card-number', CARD, '--card-holder', 'Ada'];
const WHOLE = [...PAY, '--card-expiry', '05/2099', '--amount', '2500'];

const VARIABLES: Record<string, string>[] = [
  { DEBUG: '*' },
  { NODE_DEBUG: '*' },
  { NODE_DEBUG: 'http,net,tls,undici,fetch' },
  { NODE_OPTIONS: '--trace-warnings --trace-uncaught --trace-exit --trace-sigint' },
];

describe.each(VARIABLES)('with %j', (variables) => {
  test.each([
    ['a payment', WHOLE, 0],
    ['a CVV that is none', [...WHOLE, '--cvv', CVV], 2],
    ['a flag that there is not', [...WHOLE, '--cvv', CVV, '--no-such-flag'], 2],
    ['a command that there is not', [CARD, '--cvv', CVV], 2],
  ])('%s prints no secret in either parser', async (_, args, code) => {
    const server = await hostileServer({
      onRequest: (socket) => socket.write(Buffer.from(answer(200, APPROVED))),
    });
    for (const way of ['on', 'off']) {
      const env = { ...variables, GW_API_TOKEN: TOKEN, GW_FAST_PATH: way };
      const ended = await gw(args, { url: server.url, env });
      expect(ended.code).toBe(code);
      for (const secret of [CARD, TOKEN, CVV, BASIC])
        expect(ended.stdout + ended.stderr).not.toContain(secret);
    }
  });
});
