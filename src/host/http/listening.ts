/** Describes the address that gw's own servers listen on, and why they cannot listen. */
import { lookup } from 'node:dns/promises';
import { type AddressInfo, BlockList, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { usage } from '../../failure.ts';
import { codeOf } from '../error-reason.ts';

/** @returns for example `http://127.0.0.1:4010` or `http://[::1]:4010` */
export function urlOf({ address, port, family }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** @returns whether two addresses have one port, and the second is or names this machine; an unknown name does not */
export async function leadsTo(own: URL, other: URL): Promise<boolean> {
  const [port, wanted] = [own, other].map((url) => url.port || url.protocol);
  if (port !== wanted) return false;
  const here = new BlockList();
  here.addSubnet('127.0.0.0', 8);
  for (const address of ['0.0.0.0', '::', '::1']) here.addAddress(address, versionOf(address));
  for (const { address } of Object.values(networkInterfaces()).flatMap((each) => each ?? []))
    here.addAddress(address, versionOf(address));
  const found = await lookup(other.hostname.replace(/^\[|[\].]$/g, ''), { all: true }).catch(
    () => [],
  );
  return found.some(({ address }) => here.check(address, versionOf(address)));
}

const versionOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/**
 * @param error the error of a server that could not listen
 * @param other another gw command that may use the port, for example `another gw listen`
 * @returns a Failure usage, or the error itself if it is a defect
 */
export function explainListening(
  error: unknown,
  { host, port }: { host: string; port: number },
  other: string,
): unknown {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return usage(
        'port-in-use',
        `Port ${port} on ${host} is already in use.`,
        `Another program is using it, perhaps ${other}. Choose another port with --port.`,
        { cause: error },
      );
    case 'EACCES':
      return usage(
        'port-forbidden',
        `You may not listen on port ${port} of ${host}.`,
        'Choose a port above 1023 with --port.',
        { cause: error },
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return usage(
        'host-not-local',
        `This machine does not have the address ${host}.`,
        'Choose another address with --host.',
        { cause: error },
      );
    default:
      return error;
  }
}
