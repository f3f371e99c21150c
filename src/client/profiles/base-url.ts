/**
 * Parses the base address of a gateway. Every request sends credentials there, so it must use https, or http to this
 * machine. It has only an origin and a path.
 */
import { holdsControl } from '../../base/hidden-characters.ts';
import { isLoopback } from '../../base/loopback.ts';
import { usage } from '../../failure.ts';

const MAX_LENGTH = 2048;

/**
 * @param text the address as the user wrote it
 * @param whatItIs the address's name in messages: `--base-url`, `GW_BASE_URL`
 * @returns the address, without a slash at the end of its path
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
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '');
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
