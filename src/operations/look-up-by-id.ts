/** Which look-up an id asks for, by its shape alone. */
import { lookUpOf, type Operation } from '../contract/operations.ts';
import { kindOfId } from '../contract/record-id.ts';
import { usage } from '../failure.ts';

/** @throws Failure usage when the id's shape does not tell its kind */
export function lookUpById(id: string): Operation {
  const kind = kindOfId(id);
  const operation = kind && lookUpOf(kind);
  if (operation) return operation;
  throw usage(
    'id-kind-unknown',
    `The id ${JSON.stringify(id)} does not tell what kind of record it is of.`,
    'Use the command of its kind, such as `gw purchase get`, or `gw subscription get` with a reference.',
  );
}
