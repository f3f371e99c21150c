/**
 * What gw's own servers, the listener and the embedded gateway, refuse of any request before they look
 * at what it asks for: HTTP that can be read in two ways, what is packed, and what a browser sends.
 *
 * Those servers are for programs, and any web page can have a browser send a request to this machine.
 * A browser says that it is one: by `Origin` with each POST, by `Sec-` headers, which no script can set
 * or take away, and, where it is too old for those, by `Referer` or `Upgrade-Insecure-Requests`. `Host`
 * says nothing of it where tunnels lead to a server: they change it.
 */

/** `reason` stands after "a request": `from a web page (Origin: https://shop.example)`. */
export interface Refused {
  status: 400 | 403 | 415 | 417 | 501;
  reason: string;
}

export interface RequestHead {
  httpVersion: string;
  /** Names and values in turn, as they were sent, and all of them. */
  rawHeaders: readonly string[];
}

interface Header {
  /** In lower case. */
  name: string;
  value: string;
  /** As it was sent. */
  text: string;
}

/** A name or an address, with or without a port (RFC 9110, 7.2). */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~%!$&'()*+,;=-]*)(?::\d*)?$/i;

/** @returns why a request is refused, whatever it asks for; undefined when it may be looked at */
export function refusedRequest({ httpVersion, rawHeaders }: RequestHead): Refused | undefined {
  const headers = headersOf(rawHeaders);
  return refusedHosts(headers, httpVersion) ?? refusedBrowser(headers) ?? refusedCodings(headers);
}

/** Ends of names that nobody can own in public (RFC 2606, 6762, 8375), as those of containers have. */
const PRIVATE_NAME = /\.(?:localhost|localdomain|internal|local|lan|home\.arpa|test)$/;

/**
 * For a server whose answers only this machine is to read: whoever owns a domain can have its name lead
 * to this machine, and a page of that domain may then read them without a word of `Origin`.
 * @param host of the request, for example `localhost:4010`
 */
export function refusedName(host = ''): Refused | undefined {
  const name = host.replace(/:\d*$/, '').toLowerCase();
  const isDomain = name.includes('.') && !/^(?:\[.*|[\d.]+)$/.test(name);
  if (!isDomain || PRIVATE_NAME.test(name)) return undefined;
  return {
    status: 403,
    reason: `to ${name}, which is not a name of this machine (--allow-remote accepts it)`,
  };
}

/** A request that names two hosts is one thing to a proxy and another to the server behind it. */
function refusedHosts(headers: readonly Header[], httpVersion: string): Refused | undefined {
  const hosts = headers.filter(({ name }) => name === 'host');
  const [host] = hosts;
  if (hosts.length > 1) return { status: 400, reason: `with ${hosts.length} Host headers` };
  if (!host && httpVersion === '1.1') return { status: 400, reason: 'without a Host header' };
  if (!host || HOST.test(host.value)) return undefined;
  return { status: 400, reason: `whose Host header is not a host name: ${host.value}` };
}

function refusedBrowser(headers: readonly Header[]): Refused | undefined {
  const marks = headers.filter(isOfBrowsers);
  const mark = marks.find(({ name }) => name === 'origin') ?? marks[0];
  return mark && { status: 403, reason: `from a web page (${mark.text})` };
}

function isOfBrowsers({ name, value }: Header): boolean {
  // Node's own fetch sends this one. With it a browser sends others, and Origin with a POST.
  if (name === 'sec-fetch-mode' && value === 'cors') return false;
  return (
    name.startsWith('sec-') ||
    name.startsWith('access-control-request-') ||
    ['origin', 'referer', 'upgrade-insecure-requests'].includes(name)
  );
}

/** What is packed would be read as if it were not, or kept with what has to be masked in it. */
function refusedCodings(headers: readonly Header[]): Refused | undefined {
  const odd = (wanted: string, usual: string) =>
    headers.find(({ name, value }) => name === wanted && value.trim().toLowerCase() !== usual);
  const coding = odd('content-encoding', 'identity');
  if (coding) return { status: 415, reason: `whose body is compressed (${coding.text})` };
  const expected = odd('expect', '100-continue');
  if (expected)
    return { status: 417, reason: `with an expectation that is not supported (${expected.text})` };
  const transfer = odd('transfer-encoding', 'chunked');
  if (!transfer) return undefined;
  return {
    status: 501,
    reason: `with a transfer encoding that is not supported (${transfer.text})`,
  };
}

function headersOf(raw: readonly string[]): Header[] {
  const headers: Header[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const [name = '', value = ''] = [raw[i], raw[i + 1]];
    headers.push({ name: name.toLowerCase(), value, text: `${name}: ${value}` });
  }
  return headers;
}
