/** What can go wrong with a server, in sentences: what happened, and what to do. */
import { Failure } from '../../failure.ts';
import { MET_CODE } from '../sql.ts';
import { type LedgerAddress, labelOfAddress } from './address.ts';

interface ServerError extends Error {
  /** SQLSTATE of five characters where the server said it, else a code of Node's. */
  code?: string;
  /** What was violated, where something was. */
  constraint?: string;
}

interface ServerMessage {
  code: string;
  message: string;
  next: string;
}

const TRY_AGAIN = 'Run the command again in a moment.';

/** By SQLSTATE, whole or its class of two characters. @see PostgreSQL, appendix A */
const STATES: Readonly<Record<string, (label: string, error: ServerError) => ServerMessage>> = {
  // What is there is no ledger, or an older one.
  '3F000': noLedger,
  '42P01': noLedger,
  '42703': (label) => ({
    code: 'ledger-older',
    message: `The ledger at ${label} has an older format than this gw writes`,
    next: 'Its owner can update it with `gw ledger init`.',
  }),
  '3D000': (label) => ({
    code: 'ledger-missing',
    message: `There is no database ${label}`,
    next: 'Create it (`createdb gw`), then run `gw ledger init`, or correct the address.',
  }),
  '28P01': (label) => ({
    code: 'ledger-refused',
    message: `The server of ${label} does not accept the password or the role`,
    next: 'Store the right password with `gw login NAME --ledger`, or correct the role in the address.',
  }),
  '28': (label, { message }) => ({
    code: 'ledger-refused',
    message: `The server of ${label} does not let the role connect (${message})`,
    next: 'Correct the role in the address, or ask whoever runs the server to allow it (pg_hba.conf).',
  }),
  '42501': (label, { message }) => ({
    code: 'ledger-not-permitted',
    message: `The role may not do that in the ledger at ${label} (${message})`,
    next: 'Ask an owner of the ledger to do it or to grant the right. `gw ledger init --print-sql` shows the roles.',
  }),
  '42704': (label, { message }) => ({
    code: 'ledger-role-missing',
    message: `The server of ${label} does not support that (${message})`,
    next: 'Have the role made first: `createuser NAME`, or CREATE ROLE … LOGIN.',
  }),
  '53300': (label) => ({
    code: 'ledger-busy',
    message: `The server of ${label} has no connections left`,
    next: `${TRY_AGAIN} A connection pool (docs/team.md) allows more.`,
  }),
  '53100': (label) => ({
    code: 'ledger-disk-full',
    message: `The disk of the server of ${label} is full`,
    next: 'Free some space there. Until then gw sends nothing that moves money.',
  }),
  '53': (label, { message }) => ({
    code: 'ledger-busy',
    message: `The server of ${label} has run out of something (${message})`,
    next: TRY_AGAIN,
  }),
  '25006': readOnly,
  '57014': (label) => ({
    code: 'ledger-timeout',
    message: `The server of ${label} ended a statement that took too long`,
    next: `${TRY_AGAIN} The server's log says what it waited for.`,
  }),
  '55P03': (label) => ({
    code: 'ledger-timeout',
    message: `A lock on the ledger at ${label} was not released in time`,
    next: TRY_AGAIN,
  }),
  '57P03': (label) => ({
    code: 'ledger-unreachable',
    message: `The server of ${label} is starting or stopping`,
    next: TRY_AGAIN,
  }),
};

/**
 * The server, or a pool in front of it, ended the connection, or says itself that it does not know; what
 * was under way may have been kept. By SQLSTATE, whole or its class.
 */
const ENDED = new Set(['57P01', '57P02', '57P05', '25P03', '25P04', '08', '40003']);

/** Serialization and deadlock: what met another one was undone. */
const MET = new Set(['40001', '40P01']);
/** What was lost before anything was kept. */
const UNDONE_CODE = 'ledger-cut';

function noLedger(label: string): ServerMessage {
  return {
    code: 'ledger-missing',
    message: `The database ${label} has no ledger`,
    next: 'Its owner can create one with `gw ledger init`.',
  };
}

function readOnly(label: string): ServerMessage {
  return {
    code: 'ledger-read-only',
    message: `The server of ${label} does not accept writes: it is a standby or read-only`,
    next: 'Use an address that leads to the primary. After a failover, run the command again in a moment.',
  };
}

/** @returns the failure of a connection to a server that takes no writes */
export function readOnlyFailure(address: LedgerAddress): Failure {
  return failureOf(readOnly(labelOfAddress(address)), undefined);
}

/** @returns the failure of a connection that was never made: nothing was asked of the server */
export function connectionFailure(error: unknown, address: LedgerAddress): Failure {
  const known = saidOf(error, address);
  if (known) return failureOf(known, error);
  const { message } = error as ServerError;
  const label = labelOfAddress(address);
  if (isOfCertificate(error as ServerError))
    return failureOf(
      {
        code: 'ledger-not-verified',
        message: `gw cannot verify the server of ${label} (${message})`,
        next: 'Use the name that is in its certificate. To trust your own certificate authority, add sslrootcert=FILE to the address.',
      },
      error,
    );
  return failureOf(
    {
      code: 'ledger-unreachable',
      message: `Could not reach the ledger at ${label} (${message || (error as ServerError).code})`,
      next: `Check the address and the server. ${TRY_AGAIN}`,
    },
    error,
  );
}

/** @returns the failure of a statement; `ledger-lost` where nobody can say whether it was kept */
export function statementFailure(error: unknown, address: LedgerAddress): Failure {
  if (error instanceof Failure) return error;
  const { code = '', message } = error as ServerError;
  const label = labelOfAddress(address);
  if (MET.has(code) || isOfAnother(error as ServerError)) return failureOf(metSaid(label), error);
  const known = saidOf(error, address);
  if (known) return failureOf(known, error);
  if (isSqlState(code) && !ENDED.has(code) && !ENDED.has(code.slice(0, 2)))
    return failureOf(
      {
        code: 'ledger-failed',
        message: `The ledger at ${label} cannot be used: ${message}`,
        next: "The server's log says more.",
      },
      error,
    );
  return failureOf(
    {
      code: 'ledger-lost',
      message: `The connection to the ledger at ${label} was lost (${message})`,
      next: TRY_AGAIN,
    },
    error,
  );
}

function metSaid(label: string): ServerMessage {
  return {
    code: MET_CODE,
    message: `Others are writing to the ledger at ${label}`,
    next: TRY_AGAIN,
  };
}

/** @returns whether the same statement may well succeed in a moment, and changed nothing */
export function isTransient(error: unknown): boolean {
  return error instanceof Failure && (error.code === MET_CODE || error.code === UNDONE_CODE);
}

/** @returns the same failure, where it is known that nothing was kept */
export function undone(failure: Failure): Failure {
  return failure.with({ code: UNDONE_CODE });
}

/** Some codes of Node's, EPIPE for one, are five capitals too; no class of SQLSTATE begins with an E. */
function isSqlState(code: string): boolean {
  return /^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code);
}

function saidOf(error: unknown, address: LedgerAddress): ServerMessage | undefined {
  const { code = '' } = error as ServerError;
  if (!isSqlState(code)) return undefined;
  const say = STATES[code] ?? STATES[code.slice(0, 2)];
  return say?.(labelOfAddress(address), error as ServerError);
}

function failureOf({ code, message, next }: ServerMessage, cause: unknown): Failure {
  return new Failure('guard', `${message}.`, { code, next, cause });
}

/**
 * Two that make the same schema or table, or write about the same line of a batch, at the same time: the later
 * one finds it there next time.
 */
function isOfAnother({ code, constraint = '' }: ServerError): boolean {
  return code === '23505' && /^(pg_|money_requests_by_line$)/.test(constraint);
}

/** Codes of OpenSSL and of Node's check of names. */
function isOfCertificate({ code = '', message }: ServerError): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|SSL connection/i.test(`${code} ${message}`);
}
