/**
 * SHA-256 (FIPS 180-4) of a short text, for a look-up: to load node:crypto, which a plain connection
 * does not need, takes several times as long as all of this. Where node:crypto is loaded, use that.
 */

const BLOCK_BYTES = 64;

/** @returns 64 hex digits */
export function sha256(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  // One bit, zeros, and the length in bits.
  const length = Math.ceil((bytes.length + 9) / BLOCK_BYTES) * BLOCK_BYTES;
  const message = Buffer.alloc(length);
  bytes.copy(message);
  message[bytes.length] = 0x80;
  message.writeUInt32BE(bytes.length * 8, length - 4);

  let { state, rounds } = constants();
  for (let at = 0; at < length; at += BLOCK_BYTES) {
    const mixed = compress(state, words(message, at), rounds);
    state = state.map((word, i) => (word + mixed[i]!) | 0);
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** The first 32 bits of the fractions of the square roots and cube roots of the first primes. */
function constants(): { state: readonly number[]; rounds: readonly number[] } {
  const fraction = (root: number) => ((root % 1) * 0x1_0000_0000) | 0;
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p !== 0)) primes.push(n);
  return {
    state: primes.slice(0, 8).map((p) => fraction(Math.sqrt(p))),
    rounds: primes.map((p) => fraction(Math.cbrt(p))),
  };
}

/** The message schedule of one block. */
function words(message: Buffer, at: number): Int32Array {
  const w = new Int32Array(64);
  for (let i = 0; i < 16; i++) w[i] = message.readInt32BE(at + i * 4);
  for (let i = 16; i < 64; i++) {
    const [x, y] = [w[i - 15]!, w[i - 2]!];
    const low = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const high = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    w[i] = w[i - 16]! + low + w[i - 7]! + high;
  }
  return w;
}

function compress(state: readonly number[], w: Int32Array, rounds: readonly number[]): number[] {
  let [a, b, c, d, e, f, g, h] = state as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let i = 0; i < 64; i++) {
    const chosen = (e & f) ^ (~e & g);
    const major = (a & b) ^ (a & c) ^ (b & c);
    const first = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + chosen + rounds[i]! + w[i]!;
    const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + major;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  return [a, b, c, d, e, f, g, h];
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
