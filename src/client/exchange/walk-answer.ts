/**
 * One walk over all of an answer, since a record may stand anywhere in it: in another field than `response`, in
 * the errors, under a name whose values are hidden.
 *
 * It keeps a list of what it has yet to see, so no depth is too deep for it, and sees each value once.
 */
import { isObject, type Json, type JsonObject } from '../../base/json.ts';

/** An object of an answer. */
export interface Found {
  object: JsonObject;
  /**
   * `record` is the response itself, or an item of its list; `inside` is deeper in the response, or in a body
   * that is no envelope; `beside` is the envelope, or in its other fields.
   */
  place: 'record' | 'inside' | 'beside';
}

type Item = readonly [value: Json, place: Found['place']];

/**
 * @param json all of an answer, as it came
 * @returns its objects, itself included, in the order in which they stand there
 */
export function* objectsIn(json: Json, isEnvelope: boolean): Generator<Found> {
  const left = itemsOf([json], isEnvelope ? 'beside' : 'inside');
  for (let item = left.pop(); item; item = left.pop()) {
    const [value, place] = item;
    if (isObject(value)) yield { object: value, place };
    const inner = isEnvelope && value === json ? placesIn(json) : innerOf(value, place);
    for (let i = inner.length - 1; i >= 0; i--) left.push(inner[i] as Item);
  }
}

/** @returns what stands in the fields of an envelope; a list of records has no place of its own */
function placesIn(envelope: Json): Item[] {
  return Object.entries(envelope as JsonObject).flatMap(([name, value]): Item[] => {
    if (name !== 'response') return itemsOf([value], 'beside');
    return itemsOf(Array.isArray(value) ? value : [value], 'record');
  });
}

function innerOf(value: Json, place: Found['place']): Item[] {
  return itemsOf(
    Object.values(value as JsonObject | Json[]),
    place === 'beside' ? place : 'inside',
  );
}

/** Texts, numbers and flags hold nothing to walk into. */
function itemsOf(values: readonly Json[], place: Found['place']): Item[] {
  return values.flatMap((value): Item[] =>
    typeof value === 'object' && value !== null ? [[value, place]] : [],
  );
}
