/** Checks HTTP Basic authentication (RFC 7617) of deliveries. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { basicAuthorization } from './basic-auth.ts';

export interface BasicCredentials {
  username: string;
  password: string;
}

/** @returns a check of an Authorization header that takes the same time for every content */
export function basicAuthCheck(
  credentials: BasicCredentials,
): (header: string | undefined) => boolean {
  const wanted = digest(basicAuthorization(credentials.username, credentials.password));
  return (header) => {
    const [scheme = '', value = ''] = (header ?? '').split(' ', 2);
    return timingSafeEqual(digest(`Basic ${value}`), wanted) && scheme.toLowerCase() === 'basic';
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
