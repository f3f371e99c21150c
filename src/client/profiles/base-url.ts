/**
 * The base address of a gateway. Credentials go to it with every request, so it is https, or http to
 * this machine itself, and it holds nothing but an origin and a path.
 */
import { isLoopback } from '../../base/loopback.ts';
import { usage } from '../../failure.ts';

const MAX_LENGTH = 2048;

/**
 * @param text as a user wrote it
 * @param whatItIs names it in messages: `--base-url`, `GW_BASE_URL`
 * @returns the address, its path without a slash at the end
 * @throws Failure usage when credentials may not be sent there
 */
export function parseBaseUrl(text: string, whatItIs: string): URL {
  const fault = faultOf(text);
  if (fault !== undefined) {
    throw usage(
      'base-address-invalid',
      `${whatItIs} ${fault}.`,
      'Use an address such as https://gateway.example.com.',
    );
  }
  const url = new URL(text);
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '');
  return url;
}

/** @returns what is wrong with a base address, or undefined; never any of its text, which may hold a password */
export function faultOf(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (/[\s\p{Cc}\\]/u.test(text)) return 'has a space, a backslash or a control character in it';
  if (!/^https?:\/\//i.test(text)) return 'does not begin with https://';
  if (!URL.canParse(text)) return 'is not an address';
  const url = new URL(text);
  if (url.username || url.password) return 'contains credentials, which belong in the keychain';
  if (/[?#]/.test(text)) return 'contains a query or a fragment';
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return 'begins with http://, which is only for this machine (localhost, 127.0.0.1, [::1])';
  }
  return undefined;
}
