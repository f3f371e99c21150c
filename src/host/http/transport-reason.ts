/** Explains in words why no answer arrived, the same for everything that gw sends. */

import { codeOf, MACHINE_LIMITS } from '../error-reason.ts';

/** Explains a system, TLS or abort error without its stack. */
export function transportReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  const end = CONNECTION_ENDS[code];
  if (end) return `the connection was ${end}`;
  const known = REASONS[code] ?? REASONS_BY_NAME[error.name];
  if (known) return known;
  // A connection attempt to several addresses fails with one error for each.
  if (error instanceof AggregateError && error.errors.length > 0)
    return transportReason(error.errors[0]);
  if (/SELF_SIGNED|^UNABLE_TO_(?:GET_ISSUER|VERIFY)|^CERT_UNTRUSTED$/.test(code))
    return `${UNTRUSTED} (${error.message})`;
  if (/^CERT_|^UNABLE_TO_/.test(code)) return `its certificate cannot be used (${error.message})`;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    return 'no secure connection could be made: the server does not use TLS, or not a version that gw accepts';
  }
  if (code.startsWith('HPE_')) return 'the answer is not HTTP';
  return error.message || code || error.name;
}

const UNTRUSTED = 'its certificate is not trusted';

/** @param reason in words, alone or in a sentence @returns the next step if an unknown authority is the reason */
export function trustAdvice(reason: string): string | undefined {
  if (!reason.includes(UNTRUSTED)) return undefined;
  return 'If the certificate is signed by an authority of your own, set NODE_EXTRA_CA_CERTS to the PEM file of its certificate, then run the command again.';
}

/** The same reason for a column of a table: `connection refused`. */
export function briefReason(error: unknown): string {
  const end = CONNECTION_ENDS[codeOf(error)];
  return end ? `connection ${end}` : transportReason(error);
}

const CONNECTION_ENDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'closed',
  UND_ERR_SOCKET: 'closed',
};

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its host name was not found',
  EAI_AGAIN: 'its host name could not be looked up',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its network cannot be reached',
  ...MACHINE_LIMITS,
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'the answer is larger than 16 MiB',
  UND_ERR_HEADERS_OVERFLOW: "the answer's headers are too large",
  HPE_HEADER_OVERFLOW: "the answer's headers are too large",
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  CERT_HAS_EXPIRED: 'its certificate has expired',
};

const REASONS_BY_NAME: Readonly<Record<string, string>> = {
  TimeoutError: 'the time limit was reached',
  AbortError: 'it was interrupted',
  // Name of the error for the program's own interruption.
  Failure: 'it was interrupted',
};
