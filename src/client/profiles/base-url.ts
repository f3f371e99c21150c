/**
 * Parses the base address of a gateway. Every request sends credentials there, so it must use https, or http to this
 * machine. It has only an origin and a path.
 */
import { holdsControl } from '../../base/clean-text.ts';
import { isLoopback } from '../../base/loopback.ts';
import { usage } from '../../failure.ts';

const MAX_LENGTH = 2048;

/**
 * @param text the address as the user wrote it
 * @param whatItIs the address's name in messages: `--base-url`, `GW_BASE_URL`
 * @returns the address, without a slash or the version at the end of its path
 * @throws Failure usage if credentials must not be sent there
 */
export function parseBaseUrl(text: string, whatItIs: string): URL {
  const url = addressIn(text);
  if (typeof url === 'string') {
    throw usage(
      'base-address-invalid',
      `${whatItIs} ${url}.`,
      'Use an address such as https://gateway.example.com.',
    );
  }
  // gw adds the version to every path (section 9).
  const path = url.pathname.replace(/\/v1\.0(?=\/*$)/i, '');
  url.pathname = path.replace(/(?<!\/)\/+$/, '');
  return url;
}

/** @returns the fault of a base address, or undefined; never quotes the text, which may hold a password */
export function faultOf(text: string): string | undefined {
  const url = addressIn(text);
  return typeof url === 'string' ? url : undefined;
}

/** @returns the address, or its fault */
function addressIn(text: string): URL | string {
  if (text.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (/[\s\\]/.test(text) || holdsControl(text))
    return 'has a space, a backslash or a control character in it';
  if (!/^https?:\/\//i.test(text)) return 'does not begin with https://';
  const url = parsed(text);
  if (!url) return 'is not an address';
  if (url.username || url.password) return 'contains credentials, which belong in the keychain';
  if (/[?#]/.test(text)) return 'contains a query or a fragment';
  if (/\/v1\.0\/+[^/]/i.test(url.pathname))
    return 'has the path of a request: leave /v1.0 and everything after it out';
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return 'begins with http://, which is only for this machine (localhost, 127.0.0.1, [::1])';
  }
  return url;
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
