/** A look-up without an id: a person picks one of the known records. */

import type { CommandOptions } from '../../cli/flags/command-options.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Context } from '../../host/context.ts';
import { missingArgument } from '../asked-argument.ts';
import { askedId } from '../known-choices.ts';
import { Questions } from '../questions.ts';
import { withSession } from '../session.ts';
import { byId, getMany } from './get-many.ts';

/** @throws Failure usage if gw cannot ask */
export async function getPicked(
  context: Context,
  operation: Operation,
  options: Pick<CommandOptions, 'request' | 'output'>,
): Promise<void> {
  const { name, kind } = operation;
  if (!options.request.mayAsk) {
    const seen = `\`gw ${kind} list\` shows the ids.`;
    throw missingArgument('ID', `Write \`gw ${name} ID\`. ${seen}`, { sent: false });
  }
  await withSession(context, { operation, ...options }, async (session) => {
    const questions = new Questions(context.host.prompts);
    const by = kind === 'subscription' ? 'reference' : 'id';
    const id = await askedId({ context, session, questions }, undefined, kind, by);
    await getMany(session, [id], byId(context, operation));
  });
}
