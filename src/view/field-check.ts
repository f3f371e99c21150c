/**
 * Whether picked fields are fields: a name that is misspelt must not become an empty column.
 *
 * The interface's names are known, and a gateway may send more. So, of a name that the interface does not have:
 *
 * - what changes something is not sent: afterwards it would be too late to say so;
 * - a look-up is not sent either where the name is nearly one of the interface's; otherwise it is an error when none of
 *   the records that were printed has it;
 * - `name?` is never an error: it is empty where a record lacks it.
 *
 * gw's own records all have the same fields, and the first one tells them.
 */

import type { JsonObject } from '../base/json.ts';
import { nearest } from '../base/nearest.ts';
import { capitalised } from '../base/text.ts';
import { type Failure, type FailureDetails, usage } from '../failure.ts';
import type { RecordView } from './columns.ts';
import type { PickedFields } from './picked-fields.ts';
import { VIEWS } from './records/gateway-records.ts';
import { fieldAt, flatten } from './values.ts';

const MOST_LISTED = 60;

export class FieldCheck {
  /** Names that nothing has had yet. */
  readonly #missing: Set<string>;
  readonly #view: RecordView;

  /**
   * @param isSending true where something is changed by what is sent
   * @throws Failure usage, before anything is sent
   */
  constructor({ names, optional }: PickedFields, view: RecordView, isSending: boolean) {
    this.#view = view;
    this.#missing = new Set(names.filter((name) => !optional.has(name) && !has(view, name)));
    if (view.fields.length === 0) return;
    for (const name of this.#missing) {
      const isElsewhere = Object.values(VIEWS).some((other) => has(other, name));
      const isMisspelt =
        !isElsewhere && meantField(name, [...view.fields, ...allFields()]) !== undefined;
      if (isSending || isMisspelt) throw unknownField(name, view, view.fields, { sent: false });
    }
  }

  /** @throws Failure usage when a record of gw's own lacks a field, as all of them will */
  see(record: JsonObject, view: RecordView): void {
    for (const name of this.#missing) {
      if (has(view, name) || fieldAt(record, name) !== undefined) this.#missing.delete(name);
      else if (view.fields.length === 0)
        throw unknownField(
          name,
          view,
          flatten(record).map(([field]) => field),
        );
    }
  }

  /** @throws Failure usage when none of the records had a field */
  end(): void {
    for (const name of this.#missing) throw unknownField(name, this.#view, this.#view.fields);
  }
}

function has({ fields, mayHave = [] }: RecordView, name: string): boolean {
  return [...fields, ...mayHave].some((field) => field === name || field.startsWith(`${name}.`));
}

function allFields(): string[] {
  return Object.values(VIEWS).flatMap(({ fields }) => fields);
}

/** @returns the field that a name is nearly; undefined for a field, and where nothing is near */
function meantField(name: string, fields: readonly string[]): string | undefined {
  const best = nearest(name, fields);
  return best === name ? undefined : best;
}

function unknownField(
  name: string,
  view: RecordView,
  fields: readonly string[],
  details: Pick<FailureDetails, 'sent'> = {},
): Failure {
  const meant = meantField(name, fields) ?? meantField(name, allFields());
  const isOfGateway = Object.values(VIEWS).includes(view);
  const next = [
    meant === undefined ? '' : `Did you mean ${meant}? `,
    `The fields are ${fields.slice(0, MOST_LISTED).join(', ')}.`,
    isOfGateway ? ` If your gateway sends such a field, write ${name}?.` : '',
  ];
  return usage(
    'field-unknown',
    `${capitalised(view.plural)} have no field ${JSON.stringify(name)}.`,
    next.join(''),
    details,
  );
}
