/** Describes the address that gw's own servers listen on, and why they cannot listen. */
import type { AddressInfo } from 'node:net';
import { usage } from '../../failure.ts';
import { codeOf } from '../error-reason.ts';

/** @returns for example `http://127.0.0.1:4010` or `http://[::1]:4010` */
export function urlOf({ address, port, family }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

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
