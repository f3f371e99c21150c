/**
 * Rules by which gw's own servers, the listener and the test gateway, refuse a request before they examine it. They
 * refuse browsers and compressed bodies. node:http already refuses ambiguous HTTP.
 *
 * These servers are for programs, but any web page can make a browser send a request to this machine. A browser reveals
 * itself: by `Origin` with each POST, and by `Sec-` headers, which no script can set or remove. A browser too old for
 * those sends `Referer` or `Upgrade-Insecure-Requests`. `Host` proves nothing if tunnels lead to a server, because they
 * change it.
 */
import type { IncomingHttpHeaders } from 'node:http';

/** `reason` follows "a request": `from a web page (origin: https://shop.example)`. */
export interface RefusedHead {
  status: number;
  reason: string;
}

/** @returns why a request is refused, whatever it asks for; undefined if it may be examined */
export function refusedHead(headers: IncomingHttpHeaders): RefusedHead | undefined {
  const shown = (name: string) => `${name}: ${headers[name]}`;
  const mark =
    headers.origin === undefined
      ? Object.keys(headers).find((name) => isOfBrowsers(name, headers[name]))
      : 'origin';
  if (mark !== undefined) return { status: 403, reason: `from a web page (${shown(mark)})` };
  // gw cannot mask card data in a compressed body, and would store it.
  const packed = PLAIN_CODINGS.find(
    ([name, plain]) => (headers[name] ?? plain).toString().trim().toLowerCase() !== plain,
  );
  return packed && { status: 415, reason: `whose body is encoded (${shown(packed[0])})` };
}

const PLAIN_CODINGS = [
  ['content-encoding', 'identity'],
  ['transfer-encoding', 'chunked'],
] as const;

function isOfBrowsers(name: string, value: unknown): boolean {
  // Node's own fetch sends this header. A browser that sends it also sends others, and Origin with a POST.
  if (name === 'sec-fetch-mode' && value === 'cors') return false;
  return /^(?:sec-|access-control-request-|referer$|upgrade-insecure-requests$)/.test(name);
}

/** Endings of names that nobody can own in public (RFC 2606, 6762, 8375), such as those of containers. */
const PRIVATE_NAME = /\.(?:localhost|localdomain|internal|local|lan|home\.arpa|test)$/;

/**
 * For a server whose answers only this machine may read. The owner of a domain can make its name lead to this machine.
 * A page of that domain could then read the answers without sending `Origin`.
 * @param host `Host` of the request, for example `localhost:4010`
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
