/** The shapes in which the interface describes the bodies of webhooks (sections 2.3, 3.2 and 6), for samples of each. */
import { isObject, type JsonObject } from '../../base/json.ts';
import type { EventName } from './names.ts';

interface Shape {
  /** The events that have it. */
  events: readonly EventName[];
  /** What is special about it, in a few words. */
  has: string;
}

const CHARGES = ['charge:successful', 'charge:retry', 'charge:failed'] as const;
const FAILURES = ['charge:retry', 'charge:failed'] as const;

/** Without one of them, a body has the usual shape. */
export const SHAPES = {
  several: {
    events: ['charge:pending', ...CHARGES, 'card:expiring', 'card:expired'],
    has: 'two objects in the payload',
  },
  authorized: { events: CHARGES, has: 'authorized in place of successful' },
  'no-id': { events: FAILURES, has: 'a purchase whose id is null, as a decline by token has' },
  'no-purchase': { events: FAILURES, has: 'errors in place of a purchase: no issuer was asked' },
} as const satisfies Record<string, Shape>;

export type ShapeName = keyof typeof SHAPES;

/** @returns the names of the shapes that an event has */
export function shapesOf(event: EventName): ShapeName[] {
  const all = Object.entries(SHAPES) as [ShapeName, Shape][];
  return all.filter(([, { events }]) => events.includes(event)).map(([name]) => name);
}

/**
 * @param body of the usual shape, with one object
 * @param other for a second object
 * @returns the body in another shape of its event
 */
export function shaped(body: JsonObject, other: JsonObject, shape: ShapeName): JsonObject {
  const objects = [body, other].flatMap(({ payload }) => (Array.isArray(payload) ? payload : []));
  if (shape === 'several') return { ...body, payload: objects };
  const [element] = objects;
  const response = isObject(element) ? element.response : undefined;
  if (!isObject(element) || !isObject(response) || !isObject(response.response)) return body;
  const answer = { ...response, ...answerIn(shape, response.response) };
  return { ...body, payload: [{ ...element, response: answer }] };
}

function answerIn(shape: Exclude<ShapeName, 'several'>, purchase: JsonObject): JsonObject {
  if (shape === 'no-purchase') return { response: null, errors: ['Unable to process the charge'] };
  if (shape === 'no-id') {
    const { authorization: _, transaction_id, ...declined } = purchase;
    const ids = { id: null, ...(transaction_id !== undefined && { transaction_id: null }) };
    return { response: { ...declined, ...ids, authorization_id: null, authorized: false } };
  }
  const { successful, ...rest } = purchase;
  return { response: { ...rest, authorized: successful ?? null } };
}
