/** What node:http alone does: reads a request and answers it with what the environment has, always. */
const { createServer } = require('node:http');

const { GW_BENCH_ANSWER: body = '' } = process.env;
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'content-length': Buffer.byteLength(body),
};
const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, headers).end(body));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object')
    process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
