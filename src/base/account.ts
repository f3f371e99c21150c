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
