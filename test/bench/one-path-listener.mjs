/**
 * The simplest listener with one path: one thread takes requests, checks place and method, parses, and keeps what
 * arrived meanwhile in one transaction. It waits for the disk, prints a line for each delivery, and answers. It masks
 * nothing, recognises nothing, and reads no header.
 *
 *     node test/bench/one-path-listener.mjs FILE     (prints its address)
 */
import { createHash } from 'node:crypto';
import { fdatasync, openSync } from 'node:fs';
import { createServer } from 'node:http';
import { DatabaseSync } from '@photostructure/sqlite';

/** @typedef {{ event: string, payload: { response: { response: Record<string, unknown> } }[] }} Parsed */
/** @typedef {{ body: Buffer, parsed: Parsed, answer: (status: number) => void }} Waiting */

const [, , file = ''] = process.argv;
const database = new DatabaseSync(file);
// As gw does: COMMIT does not wait, and `fdatasync` runs beside this thread.
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
database.exec('CREATE TABLE IF NOT EXISTS events (event TEXT, identity TEXT, body BLOB)');
const insert = database.prepare('INSERT INTO events VALUES (?, ?, ?)');
const log = openSync(`${file}-wal`, 'r+');

/** @type {Waiting[]} */
let waiting = [];
let isWriting = false;

function write() {
  const group = waiting;
  waiting = [];
  isWriting = group.length > 0;
  if (!isWriting) return;
  database.exec('BEGIN IMMEDIATE');
  for (const { parsed, body } of group)
    insert.run(parsed.event, createHash('sha256').update(body).digest('base64url'), body);
  database.exec('COMMIT');
  fdatasync(log, (error) => {
    if (error) throw error;
    process.stdout.write(group.map(({ parsed }) => lineOf(parsed)).join(''));
    for (const { answer } of group) answer(200);
    setImmediate(write);
  });
}

/** @param {Parsed} parsed */
function lineOf({ event, payload }) {
  const { id, amount, currency, message } = payload[0]?.response.response ?? {};
  return `${new Date().toISOString()}\t${event}\t${id}\t${amount} ${currency}\t${message}\n`;
}

const server = createServer((request, response) => {
  /** @type {Buffer[]} */
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const answer = (/** @type {number} */ status) =>
      response.writeHead(status, { 'content-length': 0 }).end();
    if (request.url !== '/' || request.method !== 'POST') return answer(404);
    const body = Buffer.concat(chunks);
    try {
      waiting.push({ body, parsed: JSON.parse(body.toString()), answer });
    } catch {
      return answer(400);
    }
    if (!isWriting) setImmediate(write);
    isWriting = true;
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port}/\n`);
});
