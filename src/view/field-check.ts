/**
 * Checks whether picked fields exist: a misspelt name must not become an empty column.
 *
 * The interface's names are known, and a gateway may send more. For a name that the interface does not have:
 *
 * - a change is not sent: an error afterwards would be too late;
 * - a look-up is not sent if the name nearly is one of the interface's; otherwise it fails if no printed record has the
 *   field;
 * - `name?` is never an error: it is empty if a record lacks it.
 *
 * gw's own records all have the same fields, so the first one decides.
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
  /** The names that no record has had yet. */
  readonly #missing: Set<string>;
  readonly #view: RecordView;

  /**
   * @param isSending true if the request changes something
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

  /** @throws Failure usage if one of gw's own records lacks a field, because all of them will */
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

  /** @throws Failure usage if none of the records had a field */
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

/** @returns the field that a name almost matches; undefined for an existing field, or without a close match */
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
