/**
 * The shapes of command that most operations need. A command of `src/commands` extends one, names
 * its operation and adds its help; one that deviates overrides a single method.
 */
import type { CallInput } from '../client/client.ts';
import type { JsonObject } from '../contract/envelope.ts';
import type { Operation } from '../contract/operations.ts';
import { usage } from '../failure.ts';
import { type BodyOptions, buildBody } from './body.ts';
import type { FlagValues } from './body-flags.ts';
import { GwCommand } from './command.ts';
import { skeletonOf } from './fields.ts';
import { getMany, MAX_IN_FLIGHT } from './get-many.ts';
import { readIds } from './ids.ts';
import { type CommonFlags, Session } from './session.ts';
import { submit } from './submit.ts';

export type OperationFlags = FlagValues & CommonFlags;

/** One request after another, for one record. */
export const ONE = { isSingle: true, inFlight: 1 };

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

  protected async withSession(
    flags: OperationFlags,
    { isSingle, inFlight }: { isSingle: boolean; inFlight: number },
    work: (session: Session) => Promise<void>,
  ): Promise<void> {
    const session = new Session(this.context, flags, {
      kind: this.operation.kind,
      isSingle,
      inFlight,
    });
    try {
      await work(session);
    } finally {
      await session.close();
    }
  }
}

/** Sends a body, to a record where the path has a parameter, and prints the record that comes back. */
export abstract class SubmitCommand extends OperationCommand {
  readonly bodyOptions: BodyOptions = {};

  async run(): Promise<void> {
    const { args, flags } = await this.input();
    if (flags.skeleton === true && this.operation.request) {
      const skeleton = skeletonOf(this.operation.request);
      await this.host.stdout.write(`${JSON.stringify(skeleton, null, 2)}\n`);
      return;
    }
    await this.withSession(flags, ONE, async (session) => {
      const input: CallInput = {};
      if (args.id !== undefined) input.id = requireId(args.id);
      if (this.operation.request) input.body = await this.body(session, flags);
      await submit(session, this.operation, input);
    });
  }

  protected body(session: Session, flags: OperationFlags): Promise<JsonObject> {
    return buildBody(this.host, session.profile, this.operation, flags, this.bodyOptions);
  }
}

/** Looks up records by what is given as arguments, or on stdin with `-`. */
export abstract class GetCommand extends OperationCommand {
  static override strict = false;

  async run(): Promise<void> {
    const { argv, flags } = await this.input();
    const isSingle = argv.length === 1 && argv[0] !== '-';
    const inFlight = isSingle ? 1 : MAX_IN_FLIGHT;
    await this.withSession(flags, { isSingle, inFlight }, (session) =>
      getMany(session, readIds(this.host, argv), (id) => this.operationOf(id)),
    );
  }

  /** The look-up for an id. */
  protected operationOf(_id: string): Operation {
    return this.operation;
  }
}

export function requireId(id: string): string {
  if (id.trim() === '') throw usage('The id is empty.', 'Give the id of the record.');
  return id;
}
