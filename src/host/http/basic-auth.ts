/** @returns the value of an Authorization header (RFC 7617, interface section 5) */
export function basicAuthorization(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
