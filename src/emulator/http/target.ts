/** The request target (RFC 9112, 3.2) as the gateway reads it: path and query. */
import type { IncomingMessage } from 'node:http';

/** As a parsed URL would have it too, without segments of dots: what nearly all requests have. */
const PLAIN_TARGET = /^\/[\w!#$%&'()*+,\-./:;=?@[\]~]*$/;
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:[/?#]|$)/i;
const PLAIN_HOST = /^[a-z0-9._-]+(?::[1-9]\d{3})?$/;
const ABSOLUTE = /^https?:\/\//;

/**
 * @returns path and query, encoded; as they were sent, but for what has to be encoded and for segments
 *   of dots, which are resolved. undefined where target and host are no URL
 */
export function targetOf({ url = '', headers }: IncomingMessage): string | undefined {
  // HTTP/1.0 has requests without one, and a name may be empty.
  const host = headers.host || 'gateway';
  if (PLAIN_TARGET.test(url) && !DOT_SEGMENT.test(url) && PLAIN_HOST.test(host)) return url;
  // A URL takes a backslash for a slash.
  if (/^[^?]*\\/.test(url)) return undefined;
  if (ABSOLUTE.test(url)) return partsOf(url)?.target;
  const parts = url.startsWith('/') ? partsOf(`http://${host}${url}`) : undefined;
  // A host in another form than its own, such as 127.1, is nobody's.
  return parts?.hostname === host.replace(/:\d+$/, '').toLowerCase() ? parts.target : undefined;
}

function partsOf(text: string): { hostname: string; target: string } | undefined {
  try {
    const { hostname, pathname, search, hash, username } = new URL(text);
    return username === '' ? { hostname, target: pathname + search + hash } : undefined;
  } catch {
    return undefined;
  }
}
