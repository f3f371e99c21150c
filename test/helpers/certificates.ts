/** Certificates of a throw-away authority, made by openssl: real ones, trusted by nobody else. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface Authority {
  /** The file for NODE_EXTRA_CA_CERTS, to trust the authority. */
  file: string;
  /**
   * @param days that it is valid from now on; it has expired when they are below zero
   * @returns a certificate for a host name or IP address, signed by the authority
   */
  issue(name: string, days?: number): { key: string; cert: string };
}

/** @param directory where the authority keeps its files */
export function createAuthority(directory: string): Authority {
  const at = (name: string) => path.join(directory, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl(
    ...['req', '-x509', ...newKey, '-keyout', at('ca.key'), '-out', at('ca.pem')],
    ...['-days', '2', '-subj', '/CN=gw test authority'],
  );
  return {
    file: at('ca.pem'),
    issue(name, days = 2) {
      const subject = /^[\d.:a-f]*[.:][\d.:a-f]*$/.test(name) ? `IP:${name}` : `DNS:${name}`;
      const base = at(name.replaceAll(':', '_'));
      writeFileSync(`${base}.ext`, `subjectAltName=${subject}\n`);
      openssl('req', ...newKey, '-keyout', `${base}.key`, '-out', `${base}.csr`, '-subj', '/CN=gw');
      openssl(
        ...['x509', '-req', '-in', `${base}.csr`, '-CA', at('ca.pem'), '-CAkey', at('ca.key')],
        ...[
          '-CAcreateserial',
          '-days',
          String(days),
          '-extfile',
          `${base}.ext`,
          '-out',
          `${base}.pem`,
        ],
      );
      return {
        key: readFileSync(`${base}.key`, 'utf8'),
        cert: readFileSync(`${base}.pem`, 'utf8'),
      };
    },
  };
}
