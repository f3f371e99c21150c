/** What the operating system says when a file or a stream cannot be used, in words. */

import { Failure } from '../failure.ts';
import { MACHINE_LIMITS } from './machine-limits.ts';

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

/** @returns what an error of the operating system says, as the end of a sentence; its code where there are no words for it */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return REASONS[code] ?? (code || String(error));
}

/** @returns the code of an error of the operating system or of Node's own, '' for any other. */
export function codeOf(error: unknown): string {
  const isOwn = error instanceof Failure;
  return !isOwn && error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}
