/** A look-up without an id: a person picks one of the known records. */

import type { CommandOptions } from '../../cli/flags/command-options.ts';
import type { Operation } from '../../contract/operation.ts';
import { askOrRefuse } from '../../failure.ts';
import type { Context } from '../../host/context.ts';
import { chooseId, missingId } from '../known-choices.ts';
import { Questions } from '../questions.ts';
import { type Session, withSession } from '../session.ts';
import { byId, getMany } from './get-many.ts';

/** @throws Failure usage if gw cannot ask */
export async function getPicked(
  context: Context,
  operation: Operation,
  options: Pick<CommandOptions, 'request' | 'output'>,
): Promise<void> {
  const { name, kind } = operation;
  const { host } = context;
  const words = name.split(' ');
  const pick = async (session: Session) => {
    const questions = new Questions(host.prompts);
    const by = kind === 'subscription' ? 'reference' : 'id';
    const id = await chooseId({ host, session, questions, words, typed: {} }, undefined, kind, {
      by,
    });
    await getMany(session, [id], byId(host, operation));
  };
  await askOrRefuse(options.request, missingId(words, kind), () =>
    withSession(context, { operation, ...options }, pick),
  );
}
