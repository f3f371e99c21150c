/**
 * The shapes of command that most operations need, for oclif. A command of `src/commands` extends
 * one, names its operation and adds its help; one that deviates overrides a single method.
 */
import type { Operation } from '../contract/operations.ts';
import type { BodyOptions } from './body.ts';
import { GwCommand } from './command.ts';
import { type OperationFlags, runGet, runSubmit } from './run-operation.ts';

interface Parsed {
  args: Readonly<Record<string, string | undefined>>;
  flags: OperationFlags;
  argv: readonly string[];
}

export abstract class OperationCommand extends GwCommand {
  abstract readonly operation: Operation;

  protected async input(): Promise<Parsed> {
    // Statics by name: oclif copies a class's own statics only, and `strict` is inherited.
    const { args: known, flags: own, strict } = this.ctor;
    const { args, flags, argv } = await this.parse({ args: known, flags: own, strict });
    return { args, flags: flags as OperationFlags, argv: argv as string[] };
  }
}

/** Sends a body, to a record where the path has a parameter, and prints the record that comes back. */
export abstract class SubmitCommand extends OperationCommand {
  readonly bodyOptions: BodyOptions = {};

  async run(): Promise<void> {
    const { args, flags } = await this.input();
    await runSubmit(this.context, this.operation, this.bodyOptions, args.id, flags);
  }
}

/** Looks up records by what is given as arguments, or on stdin with `-`. */
export abstract class GetCommand extends OperationCommand {
  static override strict = false;

  async run(): Promise<void> {
    const { argv, flags } = await this.input();
    await runGet(this.context, this.operation, (id) => this.operationOf(id), argv, flags);
  }

  /** The look-up for an id. */
  protected operationOf(_id: string): Operation {
    return this.operation;
  }
}
