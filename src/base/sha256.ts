/** SHA-256 without node:crypto, which takes two milliseconds to load: every look-up names its account by a digest. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** @returns the first 32 hexadecimal digits of the digest of the UTF-8 text */
export function shortDigest(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text))).slice(0, 32);
}
