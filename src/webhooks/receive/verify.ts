/**
 * Asks the gateway whether an event is true. A delivery is not signed, so anybody who knows the
 * address can send one; what the gateway says of the subscription is what counts.
 *
 * Compared is what does not change from one day to the next. The status and the next date may have
 * moved on since the event was sent, so they prove nothing either way.
 */
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Verification } from '../../events/event-store.ts';
import { Failure } from '../../failure.ts';
import type { DeliveryContent } from './delivery-content.ts';

const COMPARED = ['id', 'reference', 'frequency', 'start_date', 'end_date'] as const;

/** @returns the gateway's record of a subscription. @throws Failure notFound when there is none */
export type LookUp = (reference: string) => Promise<JsonObject | undefined>;

export async function verifyEvent(content: DeliveryContent, lookUp: LookUp): Promise<Verification> {
  const { subscription, elements } = content;
  const reference = subscription?.reference;
  if (!subscription || typeof reference !== 'string' || reference === '') {
    return { state: 'unverified', reason: 'it names no subscription by its reference' };
  }
  try {
    const record = await lookUp(reference);
    if (!record) return { state: 'unverified', reason: 'the gateway answered without a record' };
    const reason = differences(subscription, record);
    if (reason !== '') return { state: 'contradicted', reason };
    return { state: 'verified', reason: elements > 1 ? `the first of ${elements}` : '' };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.kind === 'notFound') {
      return { state: 'contradicted', reason: 'the gateway knows no such subscription' };
    }
    return { state: 'unverified', reason: error.message };
  }
}

/** @returns what the gateway says differently; a field that either side leaves out says nothing */
function differences(claimed: JsonObject, record: JsonObject): string {
  const claims = COMPARED.map((field) => [field, claimed[field], record[field]] as const);
  const customer = [idOf(claimed.customer), idOf(record.customer)] as const;
  return [...claims, ['customer', ...customer] as const]
    .filter(([, a, b]) => typeof a === 'string' && typeof b === 'string' && a !== b)
    .map(([field, a, b]) => `${field} is ${b}, not ${a}`)
    .join('; ');
}

function idOf(customer: Json | undefined): unknown {
  return isObject(customer) ? customer.id : customer;
}
