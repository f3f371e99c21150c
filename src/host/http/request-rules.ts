/**
 * What gw's own servers, the listener and the embedded gateway, refuse of any request before they look at what it asks
 * for: what a browser sends, and what is packed. HTTP that can be read in two ways is refused by node:http.
 *
 * Those servers are for programs, and any web page can have a browser send a request to this machine. A browser says
 * that it is one: by `Origin` with each POST, by `Sec-` headers, which no script can set or take away, and, where it is
 * too old for those, by `Referer` or `Upgrade-Insecure-Requests`. `Host` says nothing of it where tunnels lead to a
 * server: they change it.
 */
import type { IncomingHttpHeaders } from 'node:http';

/** `reason` stands after "a request": `from a web page (origin: https://shop.example)`. */
export interface RefusedHead {
  status: number;
  reason: string;
}

/** @returns why a request is refused, whatever it asks for; undefined when it may be looked at */
export function refusedHead(headers: IncomingHttpHeaders): RefusedHead | undefined {
  const shown = (name: string) => `${name}: ${headers[name]}`;
  const marks = Object.keys(headers).filter((name) => isOfBrowsers(name, headers[name]));
  const [mark] = marks.includes('origin') ? ['origin'] : marks;
  if (mark !== undefined) return { status: 403, reason: `from a web page (${shown(mark)})` };
  // What is packed would be kept with what has to be masked in it.
  const packed = Object.entries(PLAIN_CODINGS).find(
    ([name, plain]) => ![undefined, plain].includes(headers[name]?.toString().trim().toLowerCase()),
  );
  return packed && { status: 415, reason: `whose body is compressed (${shown(packed[0])})` };
}

const PLAIN_CODINGS = { 'content-encoding': 'identity', 'transfer-encoding': 'chunked' };

function isOfBrowsers(name: string, value: unknown): boolean {
  // Node's own fetch sends this one. With it a browser sends others, and Origin with a POST.
  if (name === 'sec-fetch-mode' && value === 'cors') return false;
  return (
    name.startsWith('sec-') ||
    name.startsWith('access-control-request-') ||
    ['origin', 'referer', 'upgrade-insecure-requests'].includes(name)
  );
}

/** Ends of names that nobody can own in public (RFC 2606, 6762, 8375), as those of containers have. */
const PRIVATE_NAME = /\.(?:localhost|localdomain|internal|local|lan|home\.arpa|test)$/;

/**
 * For a server whose answers only this machine is to read: whoever owns a domain can have its name lead
 * to this machine, and a page of that domain may then read them without a word of `Origin`.
 * @param host of the request, for example `localhost:4010`
 */
export function refusedName(host = ''): RefusedHead | undefined {
  const name = host.replace(/:\d*$/, '').toLowerCase();
  const isDomain = name.includes('.') && !/^(?:\[.*|[\d.]+)$/.test(name);
  if (!isDomain || PRIVATE_NAME.test(name)) return undefined;
  return {
    status: 403,
    reason: `to ${name}, which is not a name of this machine (--allow-remote accepts it)`,
  };
}
