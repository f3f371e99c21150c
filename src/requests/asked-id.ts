/** The id of a record to change, as an argument or picked from those that are known. */

import { capitalised } from '../base/capitalised.ts';
import { pickOrType } from '../cli/body/pick-or-type.ts';
import type { Questions } from '../cli/body/questions.ts';
import { checkedId } from '../cli/body/read-ids.ts';
import type { Session } from '../client/connection/session.ts';
import type { RecordKind } from '../contract/record-id.ts';
import { missingArgument } from './asked-argument.ts';
import { knownChoices, planChoices } from './known-choices.ts';

/**
 * @param id as it was given, if it was
 * @param by what the picked one is called by
 * @throws Failure usage where it is missing and nobody is there to ask
 */
export async function askedId(
  { session, questions }: { session: Session; questions: Questions },
  id: string | undefined,
  kind: RecordKind,
  by: 'id' | 'reference' = 'id',
): Promise<string> {
  if (id !== undefined) return checkedId(id);
  if (!session.options.mayAsk)
    throw missingArgument(
      'ID',
      'Nothing was sent. Run the command with --help to see what it takes.',
    );
  const choices =
    kind === 'plan' ? await planChoices(session, 'id') : await knownChoices(session, kind, by);
  const picked = await pickOrType(questions, capitalised(kind), choices, ` (its ${by})`);
  questions.argument(picked);
  return picked;
}
