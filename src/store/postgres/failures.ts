/**
 * Turns failures of a server into messages: what happened, and what to do.
 *
 * Tests: test/unit/store/postgres/server.test.ts
 */

import { Failure } from '../../failure.ts';
import type { CodeOf } from '../../failure-codes.ts';
import { CONFLICT_CODE } from '../sql.ts';
import { type LedgerAddress, labelOfAddress } from './address.ts';

interface ServerError extends Error {
  /** SQLSTATE of five characters if the server reported the error, else a code of Node. */
  code?: string;
  /** Name of the violated constraint, if any. */
  constraint?: string;
  /** Name of the server's function that reported the error. */
  routine?: string;
}

const TRY_AGAIN = 'Run the command again in a moment.';

type Said = readonly [code: CodeOf<'guard'> | 'ledger-missing', message: string, next: string];

/**
 * @param state SQLSTATE. @see PostgreSQL, appendix A
 * @returns the message for a common error; undefined for others
 */
function saidOf(state: string, label: string, message: string): Said | undefined {
  if (state === '3D000')
    return [
      'ledger-missing',
      `There is no database ${label}`,
      'Create it (`createdb gw`), then run `gw ledger init`, or correct the address.',
    ];
  if (state === '42P01' || state === '3F000')
    return [
      'ledger-missing',
      `The database ${label} has no ledger`,
      'Its owner can create one with `gw ledger init`.',
    ];
  if (state === '42501')
    return [
      'ledger-not-permitted',
      `The role may not do that in the ledger at ${label} (${message})`,
      'Ask an owner of the ledger to do it. If you are not an operator yet, or the ledger was restored on another server, which has no operators, the owner runs `gw ledger init --operator ROLE` with your role.',
    ];
  if (state === SETTLED)
    return [
      SETTLED_CODE,
      `The ledger at ${label} does not take that (${message})`,
      'See it with `gw journal show ID`. Only the role that sent a request, or an owner, says what its answer was.',
    ];
  if (state === NOT_RELEASED)
    return [
      'approval-refused',
      `The ledger at ${label} does not take the approval (${message})`,
      'Ask another person, with a login of their own, to approve it. `gw ledger init --approver ROLE` makes one an approver.',
    ];
  if (state === '25006') return readOnly(label);
  if (state === '57014' || state === '55P03')
    return ['ledger-timeout', `The ledger at ${label} took too long (${message})`, TRY_AGAIN];
  if (state === '57P03')
    return ['ledger-unreachable', `The server of ${label} is starting or stopping`, TRY_AGAIN];
  if (state.startsWith('53'))
    return [
      'ledger-busy',
      `The server of ${label} has no room for more (${message})`,
      `Wait a moment, or make room on the server: until then gw sends nothing that moves money. A pool (docs/team.md) allows more connections.`,
    ];
  return undefined;
}

function readOnly(label: string): Said {
  return [
    'ledger-read-only',
    `The server of ${label} does not accept writes: it is a standby or read-only`,
    'Use an address that leads to the primary. After a failover, run the command again in a moment.',
  ];
}

/**
 * Codes after which the last statement may or may not have been kept. The server or a pool ended the connection, or
 * says that it does not know. Each is a whole SQLSTATE or its class.
 */
const ENDED = new Set(['57P01', '57P02', '57P05', '25P03', '25P04', '08', '40003']);

/** Serialization failure and deadlock: the server rolled the transaction back. */
const MET = new Set(['40001', '40P01']);
/** Somebody has settled an entry meanwhile (docs/schema.sql). The next try sees it. */
const SETTLED = 'GW001';
const SETTLED_CODE = 'ledger-entry-settled';
/** The server does not release a proposal. */
const NOT_RELEASED = 'GW002';
/** The connection was lost before anything was kept. */
const UNDONE_CODE = 'ledger-cut';

/** @returns the failure of a connection to a server that accepts no writes */
export function readOnlyFailure(address: LedgerAddress): Failure {
  return failureOf(readOnly(labelOfAddress(address)), undefined);
}

/** @returns the failure of a database that does not hold every text */
export function encodingFailure(encoding: string, address: LedgerAddress): Failure {
  const label = labelOfAddress(address);
  const message = `The database ${label} has the encoding ${encoding}, in which gw cannot store every name`;
  const next =
    'Use a database in UTF8. The owner of the server makes one with `createdb -E UTF8 -T template0 --locale=C NAME`.';
  return failureOf(['ledger-encoding', message, next], undefined);
}

/**
 * @param source of the password that was given to the server, if it is known
 * @returns the failure of a connection that was never established; the server received no statement
 */
export function connectionFailure(
  error: unknown,
  address: LedgerAddress,
  source?: string,
): Failure {
  if (error instanceof Failure) return error;
  const { code = '', message } = error as ServerError;
  const label = labelOfAddress(address);
  if (code.startsWith('28') || message.startsWith('SASL'))
    return failureOf(
      [
        'ledger-refused',
        `The server of ${label} does not let the role connect${source === undefined ? '' : ` with the password from ${source}`} (${message})`,
        remedyOf(error as ServerError, address.isVerified || address.host.startsWith('/'), source),
      ],
      error,
    );
  const known = isSqlState(code) ? saidOf(code, label, message) : undefined;
  if (known) return failureOf(known, error);
  if (isOfCertificate(error as ServerError)) {
    const what = `gw cannot verify the server of ${label} (${message})`;
    return failureOf(['ledger-not-verified', what, CERTIFICATES[code] ?? UNKNOWN_AUTHORITY], error);
  }
  return failureOf(
    [
      'ledger-unreachable',
      `Could not reach the ledger at ${label} (${message || code})`,
      `Check the address and the server. ${TRY_AGAIN}`,
    ],
    error,
  );
}

/** @returns the failure of a statement; `ledger-lost` if nobody can know whether it was kept */
export function statementFailure(error: unknown, address: LedgerAddress): Failure {
  if (error instanceof Failure) return error;
  const { code = '', message } = error as ServerError;
  const label = labelOfAddress(address);
  if (MET.has(code) || isOfAnother(error as ServerError))
    return failureOf(
      [CONFLICT_CODE, `Others are writing to the ledger at ${label}`, TRY_AGAIN],
      error,
    );
  const isAnswer = isSqlState(code) && !ENDED.has(code) && !ENDED.has(code.slice(0, 2));
  if (!isAnswer)
    return failureOf(
      ['ledger-lost', `The connection to the ledger at ${label} was lost (${message})`, TRY_AGAIN],
      error,
    );
  return failureOf(
    saidOf(code, label, message) ?? [
      'ledger-failed',
      `The ledger at ${label} cannot be used: ${message}`,
      "The server's log says more.",
    ],
    error,
  );
}

/** @returns whether the statement changed nothing and may succeed in a moment */
export function isTransientError(error: unknown): boolean {
  return (
    error instanceof Failure && [CONFLICT_CODE, UNDONE_CODE, SETTLED_CODE].includes(error.code)
  );
}

/** @returns the same failure, marked as one where nothing was kept */
export function undone(failure: Failure): Failure {
  return failure.with({ code: UNDONE_CODE });
}

/** Some Node codes, such as EPIPE, have five capitals too. No SQLSTATE class begins with E. */
function isSqlState(code: string): boolean {
  return /^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code);
}

function failureOf([code, message, next]: Said, cause: unknown): Failure {
  return new Failure(code, `${message}.`, next, { kind: 'guard', cause });
}

/**
 * Two clients created the same schema or table, or wrote to the same batch line, at once. On the next try, the later
 * one finds it.
 */
function isOfAnother({ code, constraint = '' }: ServerError): boolean {
  return code === '23505' && /^(pg_|money_requests_by_line$)/.test(constraint);
}

/** The advice about a role that the server turns away. Its messages may be in any language, so its function decides. */
function remedyOf({ code, routine }: ServerError, isVerified: boolean, source?: string): string {
  if (routine === 'ClientAuthentication')
    return `Whoever runs the server has to allow it in pg_hba.conf.${isVerified ? '' : ' If the server only takes encrypted connections, add sslmode=verify-full to the address.'}`;
  // The password was right, or none was asked for.
  if (code === '28000' && routine !== 'auth_failed')
    return 'Correct the role in the address, or have it made on the server (`createuser -P NAME`).';
  if (source === 'the keychain')
    return 'Store the right password with `gw login NAME --ledger`, or correct the role in the address.';
  return `Correct the password${source === undefined ? '' : ' there'}, or the role in the address.`;
}

/** Matches codes of OpenSSL and of Node's host name check. */
function isOfCertificate({ code = '', message }: ServerError): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|SSL connection/i.test(`${code} ${message}`);
}

const CERTIFICATES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'Its certificate has expired: whoever runs the server has to renew it.',
  CERT_NOT_YET_VALID: "Its certificate is not valid yet. Check this machine's clock.",
  ERR_TLS_CERT_ALTNAME_INVALID: 'Use the name that is in its certificate.',
  '': 'The server needs `ssl = on`, with a certificate for the name in the address.',
};
const UNKNOWN_AUTHORITY =
  'Name the file with the authority that signed its certificate: add sslrootcert=FILE to the address.';
