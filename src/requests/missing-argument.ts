import { type Failure, usage } from '../failure.ts';

/**
 * @param argument what it is called in help, `NAME`
 * @param next what to do, in whole sentences
 * @returns the failure of a command without an argument that nobody is there to ask for
 */
export function missingArgument(argument: string, next: string): Failure {
  return usage('argument-missing', `Missing: ${argument}.`, next);
}
