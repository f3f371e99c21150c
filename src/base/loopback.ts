/**
 * Decides which addresses are this machine. Only to these go credentials over plain http, and only here is a server
 * without a password, so there is exactly one rule.
 *
 * @param host a name or an address, IPv6 with or without brackets. If it comes from a `URL`, that has already turned
 *   decimal and hexadecimal IPv4 addresses into dotted ones.
 */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|\[::1\]|::1|127(?:\.\d{1,3}){3})$/.test(host);
}

/**
 * Reads the address of a receiver of webhooks, the same for every sender. Plain http may lead to another machine, such
 * as an application in another container: only the user knows who else is in that network.
 *
 * @param text without a scheme, a port of this machine is taken as http://; elsewhere it may mean either
 * @returns undefined unless the text is an http or https address
 */
export function receiverAddress(text: string): URL | undefined {
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  const isHere = /^[\w.[\]:]+:\d+(?:[/?]|$)/.test(text) && isLoopback(url.hostname);
  if (whole !== text && !isHere) return undefined;
  url.hash = '';
  return url;
}
