/**
 * Decides which addresses are this machine. Only these may use plain http, or a server without a password, so there is
 * exactly one rule.
 *
 * @param host a name or an address, IPv6 with or without brackets. If it comes from a `URL`, that has already turned
 *   decimal and hexadecimal IPv4 addresses into dotted ones.
 */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|\[::1\]|::1|127(?:\.\d{1,3}){3})$/.test(host);
}
