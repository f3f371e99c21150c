/**
 * An account is an environment and a username, such as `live/shop`. Neither contains a colon. For a gateway on this
 * machine, its port follows: `sandbox/shop:4010`. Two ports mean two gateways, which often share a username.
 */
import { isLoopback } from './loopback.ts';

export type Environment = 'live' | 'sandbox' | 'local';

/**
 * @param account an account, with or without a port
 * @param baseUrl base address of the gateway
 * @returns the account at that gateway
 */
export function accountAt(account: string, { protocol, hostname, port }: URL): string {
  const [name = ''] = account.split(':');
  if (!isLoopback(hostname)) return name;
  return `${name}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

/**
 * Leaves out the host and the profile's name, so an account is the same under every name of its gateway. Leaves out
 * the API token, because it is rotated. A gateway on this machine has only its port as a name, so the port follows.
 * @param baseUrl base address of the gateway; undefined for the embedded one in this process
 * @returns the account
 */
export function accountOf(environment: Environment, username: string, baseUrl?: URL): string {
  const account = `${environment}/${username}`;
  return environment === 'local' || !baseUrl ? account : accountAt(account, baseUrl);
}
