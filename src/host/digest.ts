/**
 * @param encoding of the digest
 * @returns the SHA-256 digest of bytes, or of a text as UTF-8
 */
export function sha256(
  content: string | Uint8Array,
  encoding: 'hex' | 'base64url' = 'hex',
): string {
  // Most commands need no digest, and loading this module is a twentieth of a look-up.
  return process.getBuiltinModule('node:crypto').hash('sha256', content, encoding);
}
