/** The command classes of oclif, for what `programs.ts` and single commands do. */
import type { Operation } from '../contract/operations.ts';
import type { OperationFlags } from '../operations/run-operation.ts';
import { GwCommand } from './command.ts';
import type { ProgramName } from './program-names.ts';
import { PROGRAMS } from './programs.ts';

interface Parsed {
  args: Readonly<Record<string, string | undefined>>;
  flags: OperationFlags;
  argv: readonly string[];
}

abstract class ParsedCommand extends GwCommand {
  protected async input(): Promise<Parsed> {
    // Statics by name: oclif copies a class's own statics only, and `strict` is inherited.
    const { args: known, flags: own, strict } = this.ctor;
    const { args, flags, argv } = await this.parse({ args: known, flags: own, strict });
    return { args, flags: flags as OperationFlags, argv: argv as string[] };
  }
}

/** A command with a `run` of its own. */
export abstract class OperationCommand extends ParsedCommand {
  /** The operation whose records it prints. */
  abstract readonly operation: Operation;
}

/** A command that is a row of `PROGRAMS`. */
export abstract class ProgramCommand extends ParsedCommand {
  abstract readonly program: ProgramName;

  async run(): Promise<void> {
    const { argv, flags } = await this.input();
    await PROGRAMS[this.program](this.context, argv, flags);
  }
}

/** A `ProgramCommand` that takes any number of ids. */
export abstract class GetCommand extends ProgramCommand {
  static override strict = false;
}
