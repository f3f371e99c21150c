/** The headers of a delivery as they are kept: as sent, in their order; a credential never is. */

import type { Header } from '../../host/http/post-event.ts';
import { redactHeader, redactText } from '../../host/redaction/redact.ts';

/** Senders have the same few again and again. Those that were changed are not remembered. */
const UNCHANGED = new Map<string, Header>();
const MAX_UNCHANGED = 1_000;
const MAX_LENGTH = 200;

/** @param rawHeaders names and values in turn, as `IncomingMessage.rawHeaders` has them */
export function keptHeaders(rawHeaders: readonly string[]): Header[] {
  const headers: Header[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    headers.push(keptHeader(rawHeaders[i] as string, rawHeaders[i + 1] as string));
  }
  return headers;
}

function keptHeader(name: string, value: string): Header {
  // No header has a line end in it.
  const key = `${name}\n${value}`;
  const unchanged = UNCHANGED.get(key);
  if (unchanged) return unchanged;
  const header: Header = [redactText(name), redactHeader(name, value)];
  const isUnchanged = header[0] === name && header[1] === value;
  if (isUnchanged && key.length <= MAX_LENGTH && UNCHANGED.size < MAX_UNCHANGED) {
    UNCHANGED.set(key, header);
  }
  return header;
}
