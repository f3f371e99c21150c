/**
 * Which addresses are this machine itself. Plain http, and a server without a password, are for these
 * alone, so there is one rule and no other.
 *
 * @param host a name or an address, IPv6 with or without brackets; as `URL` normalises it where it
 *   comes from one: decimal and hexadecimal IPv4 addresses are dotted by then
 */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|\[::1\]|::1|127(?:\.\d{1,3}){3})$/.test(host);
}
