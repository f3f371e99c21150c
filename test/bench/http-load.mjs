/** Requests over connections that are kept, each with one under way: as few words as HTTP allows. */
import { connect } from 'node:net';

/**
 * @typedef {object} Load
 * @property {number} perSecond
 * @property {number} p50Ms
 * @property {number} p99Ms
 */

/**
 * Sends requests for a while, and takes the time that each one's answer takes.
 * @param {{ url: string, connections: number, seconds: number, request: () => string }} wanted
 *   `request` makes the bytes of the next one
 * @returns {Promise<Load>}
 * @throws Error when one is not answered with 200
 */
export async function load({ url, connections, seconds, request }) {
  const { hostname, port } = new URL(url);
  const end = performance.now() + seconds * 1000;
  /** @type {number[]} */
  const latenciesMs = [];
  const run = () =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname).setNoDelay(true);
      let startedAt = 0;
      const next = () => {
        startedAt = performance.now();
        if (startedAt < end) socket.write(request());
        else socket.end(() => resolve(undefined));
      };
      const isWhole = answerReader();
      socket.on('connect', next).on('error', reject);
      socket.on('data', (data) => {
        try {
          if (!isWhole(data)) return;
        } catch (error) {
          reject(error);
          return;
        }
        latenciesMs.push(performance.now() - startedAt);
        next();
      });
    });
  await Promise.all(Array.from({ length: connections }, run));
  latenciesMs.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) =>
    latenciesMs[Math.floor(latenciesMs.length * share)] ?? Number.NaN;
  return { perSecond: latenciesMs.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** @returns {(data: Buffer) => boolean} whether an answer is whole with what is given, piece by piece */
function answerReader() {
  let text = '';
  return (data) => {
    text += data.toString('latin1');
    const head = text.indexOf('\r\n\r\n');
    if (head === -1) return false;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]);
    if (!text.startsWith('HTTP/1.1 200 ')) throw new Error(text);
    if (text.length < head + 4 + length) return false;
    text = '';
    return true;
  };
}
