import { Failure } from '../failure.ts';

/** What a machine says that has no more of something, as the end of a sentence, by the code of its error. */
export const MACHINE_LIMITS: Readonly<Record<string, string>> = {
  EMFILE: 'too many files and connections are open (`ulimit -n` shows the limit)',
  ENFILE: 'this machine has too many files and connections open',
  ENOMEM: 'this machine is out of memory',
};

/**
 * It may be met anywhere, by a module that is loaded only then too, and is no defect of gw.
 * @returns the failure of a program that its machine has no more room for; undefined for other errors
 */
export function limitFailure(error: unknown): Failure | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = MACHINE_LIMITS[code];
  if (reason === undefined) return undefined;
  return new Failure('incomplete', `gw had to stop: ${reason}.`, {
    code: 'machine-limit',
    next: 'Before you repeat a command that moves money, check what it has already done with `gw journal list`.',
    cause: error,
  });
}
