import { Failure } from '../failure.ts';

/** What a machine says that has no more of something, as the end of a sentence, by the code of its error. */
export const MACHINE_LIMITS: Readonly<Record<string, string>> = {
  EMFILE: 'no more files and connections may be open here (`ulimit -n`)',
  ENFILE: 'this machine has too many files and connections open',
  ENOMEM: 'this machine has no more memory',
};

/**
 * It may be met anywhere, by a module that is loaded only then too, and is no defect of gw.
 * @returns the failure of a program that its machine has no more room for; undefined for other errors
 */
export function limitFailure(error: unknown): Failure | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = MACHINE_LIMITS[code];
  if (reason === undefined) return undefined;
  return new Failure('incomplete', `gw could not go on: ${reason}.`, {
    code: 'machine-limit',
    next: 'Before you repeat a command that moves money, look up what it has already done.',
    cause: error,
  });
}
