/**
 * A gateway that answers each refund as approved, whatever it is of, and knows each purchase: one purchase of
 * 10,000,000.00 by any id. It keeps nothing, so that what is measured against it is what sends.
 *
 *     node refund-server.cjs [KEY CERTIFICATE]
 *
 * It speaks https if it is given the files of a key and a certificate. It answers after ANSWER_MS, or at once.
 */
const { readFileSync } = require('node:fs');
const http = require('node:http');
const https = require('node:https');

const CARD = {
  card_holder: 'Ann Example',
  card_number: '512345XXXXXX2346',
  card_expiry: '2031-05-31',
  card_type: 'MasterCard',
  transaction_date: '2026-11-24T00:24:36+00:00',
  response_code: '00',
  message: 'Approved',
  successful: true,
};
const ANSWER_MS = Number(process.env.ANSWER_MS ?? 0);
let refunds = 0;

/** @param {string} id */
function purchase(id) {
  const amount = 1_000_000_000;
  return {
    ...CARD,
    id,
    authorization: id,
    amount,
    currency: 'AUD',
    reference: null,
    captured: true,
  };
}

/** @param {{ amount: number }} asked */
function refund({ amount }) {
  const id = `071-R-${String(++refunds).padStart(8, '0')}`;
  return { ...CARD, id, authorization: id, amount: -amount, refunded: 'Approved' };
}

const [key, cert] = process.argv.slice(2).map((file) => readFileSync(file));
const server = key ? https.createServer({ key, cert }, answer) : http.createServer(answer);
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object')
    process.stdout.write(`${key ? 'https' : 'http'}://127.0.0.1:${address.port}\n`);
});

/** @param {http.IncomingMessage} request @param {http.ServerResponse} response */
function answer(request, response) {
  let text = '';
  request.setEncoding('utf8').on('data', (part) => {
    text += part;
  });
  request.on('end', () => {
    const { method, url = '' } = request;
    const record =
      method === 'POST' ? refund(JSON.parse(text)) : purchase(url.split('/').at(-1) ?? '');
    const body = JSON.stringify({ successful: true, response: record, errors: [], test: true });
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    };
    const end = () => response.writeHead(200, headers).end(body);
    if (ANSWER_MS > 0) setTimeout(end, ANSWER_MS);
    else end();
  });
}
