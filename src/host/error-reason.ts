/** Explains in words why the operating system cannot use a file or a stream. */

import { Failure } from '../failure.ts';

/** Reasons for a machine out of resources, as the end of a sentence, by error code. */
export const MACHINE_LIMITS: Readonly<Record<string, string>> = {
  EMFILE: 'too many files and connections are open (`ulimit -n` shows the limit)',
  ENFILE: 'this machine has too many files and connections open',
  ENOMEM: 'this machine is out of memory',
};

const REASONS: Readonly<Record<string, string>> = {
  ...MACHINE_LIMITS,
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the device',
  EFBIG: 'it would exceed the largest file size allowed here',
  EBADF: 'it is not open for writing',
  EIO: 'the device failed',
  EDQUOT: 'the disk quota is full',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'it is a link that points back to itself',
  ENOTDIR: 'a part of its path is not a directory',
  EEXIST: 'a part of its path is not a directory',
  EISDIR: 'it is a directory',
  ENOENT: 'its directory cannot be created',
  ENXIO: 'it is not a regular file',
  ERR_INVALID_ARG_VALUE: 'its name is not a valid file name',
};

/** @returns the reason for a system error, as the end of a sentence; its code if there are no words for it */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return REASONS[code] ?? (code || String(error));
}

/** @returns the code of an error of the operating system or Node; '' for any other error */
export function codeOf(error: unknown): string {
  const isOwn = error instanceof Failure;
  return !isOwn && error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}

/**
 * This error may occur anywhere, even while loading a module, and is not a defect of gw.
 * @returns the failure for a machine out of resources; undefined for other errors
 */
export function limitFailure(error: unknown): Failure | undefined {
  const reason = MACHINE_LIMITS[codeOf(error)];
  if (reason === undefined) return undefined;
  return new Failure(
    'machine-limit',
    `gw had to stop: ${reason}.`,
    'Before you repeat a command that moves money, check what it has already done with `gw journal list`.',
    { cause: error },
  );
}
