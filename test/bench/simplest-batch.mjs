/**
 * The simplest program that refunds a file of lines honestly: what `gw refund batch` is held against. The intents
 * of a turn of the event loop are one transaction, and no refund leaves before it is on disk; at most so many
 * are in flight, through one pool; outcomes are written with the next transaction. It refuses no duplicate, asks
 * nobody, and believes every answer.
 *
 *     node test/bench/simplest-batch.mjs FILE LEDGER URL [IN_FLIGHT]     (prints how many are done)
 */
import { randomUUID } from 'node:crypto';
import { createReadStream, fdatasync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { DatabaseSync } from '@photostructure/sqlite';
import { Pool } from 'undici';

const [file = '', ledger = '', url = '', inFlight = '16'] = process.argv.slice(2);
const [SENDING, DONE, UNKNOWN] = ['sending', 'done', 'unknown'];

const database = new DatabaseSync(ledger);
// COMMIT does not wait for the disk. The sync below does, while other requests are in flight.
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
database.exec(
  'CREATE TABLE IF NOT EXISTS requests (id TEXT PRIMARY KEY, line TEXT, state TEXT, answer TEXT)',
);
const insert = database.prepare('INSERT INTO requests (id, line, state) VALUES (?, ?, ?)');
const settle = database.prepare('UPDATE requests SET state = ?, answer = ? WHERE id = ?');
const log = openSync(`${ledger}-wal`, 'r+');
const toDisk = promisify(fdatasync);

/** @type {(() => void)[]} */
let outcomes = [];
/** @type {{ work: () => void, written: (value?: unknown) => void, failed: (error: unknown) => void }[]} */
let intents = [];

/** One transaction for all intents and outcomes of this turn. */
async function write() {
  const [settled, intended] = [outcomes, intents];
  [outcomes, intents] = [[], []];
  try {
    database.exec('BEGIN IMMEDIATE');
    for (const work of settled) work();
    for (const { work } of intended) work();
    database.exec('COMMIT');
    if (intended.length > 0) await toDisk(log);
    for (const { written } of intended) written();
  } catch (error) {
    for (const { failed } of intended) failed(error);
  }
}

/** @param {string} id @param {string} line @returns {Promise<unknown>} when the intent is on disk */
function intend(id, line) {
  if (intents.length === 0) setImmediate(write);
  return new Promise((written, failed) => {
    intents.push({ work: () => insert.run(id, line, SENDING), written, failed });
  });
}

const pool = new Pool(url, { connections: Number(inFlight), pipelining: 1 });
const headers = {
  authorization: `Basic ${Buffer.from('TEST:TEST').toString('base64')}`,
  'content-type': 'application/json',
};
let done = 0;

/** @param {string} line */
async function refund(line) {
  const id = randomUUID();
  await intend(id, line);
  let [state, answer] = [UNKNOWN, ''];
  try {
    const reply = await pool.request({
      method: 'POST',
      path: '/v1.0/refunds',
      headers,
      body: line,
    });
    answer = await reply.body.text();
    if (reply.statusCode === 200 && JSON.parse(answer).response.successful) state = DONE;
  } catch (error) {
    answer = String(error);
  }
  if (state === DONE) done++;
  outcomes.push(() => settle.run(state, answer, id));
}

const lines = createInterface({
  input: createReadStream(file),
  crlfDelay: Number.POSITIVE_INFINITY,
});
const reader = lines[Symbol.asyncIterator]();
const senders = Array.from({ length: Number(inFlight) }, async () => {
  for (let next = await reader.next(); !next.done; next = await reader.next())
    await refund(next.value);
});
await Promise.all(senders);
await write();
await pool.close();
process.stdout.write(`${done}\n`);
