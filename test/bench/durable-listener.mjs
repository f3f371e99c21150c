/**
 * The simplest listener that answers a delivery when it is on disk: what `gw listen` is held against.
 * node:http takes requests; a thread parses, hashes and inserts what arrived meanwhile in one
 * transaction. Two batches are under way, so that the thread begins the next without being told.
 *
 *     node test/bench/durable-listener.mjs FILE     (prints its address)
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { DatabaseSync } from '@photostructure/sqlite';

const BATCHES_UNDER_WAY = 2;

if (isMainThread) listen(process.argv[2]);
else keep(workerData);

/** @param {string | undefined} file */
function listen(file) {
  const thread = new Worker(import.meta.filename, { workerData: file });
  /** @type {{ body: Uint8Array, answer: (status: number) => void }[]} */
  let waiting = [];
  /** @type {(typeof waiting)[]} */
  const underWay = [];
  const send = () => {
    if (waiting.length === 0 || underWay.length === BATCHES_UNDER_WAY) return;
    const batch = waiting;
    waiting = [];
    underWay.push(batch);
    thread.postMessage(batch.map(({ body }) => body));
  };
  thread.on('message', () => {
    for (const { answer } of underWay.shift() ?? []) answer(200);
    send();
  });
  const server = createServer((request, response) => {
    /** @type {Uint8Array[]} */
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const answer = (/** @type {number} */ status) =>
        response.writeHead(status, { 'content-length': 0 }).end();
      waiting.push({ body: Buffer.concat(chunks), answer });
      setImmediate(send);
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port}/\n`);
  });
}

/** @param {string} file */
function keep(file) {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE IF NOT EXISTS events (event TEXT, identity TEXT, body BLOB)');
  const insert = database.prepare('INSERT INTO events VALUES (?, ?, ?)');
  parentPort?.on('message', (/** @type {Uint8Array[]} */ bodies) => {
    database.exec('BEGIN IMMEDIATE');
    for (const body of bodies) {
      const { event } = JSON.parse(Buffer.from(body).toString());
      insert.run(event, createHash('sha256').update(body).digest('base64url'), body);
    }
    database.exec('COMMIT');
    parentPort?.postMessage(bodies.length);
  });
}
