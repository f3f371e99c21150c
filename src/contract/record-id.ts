/** Record ids, such as `071-P-IE49OSAF`: opaque, but their shape hints at the kind (sections 2.3 to 2.7). */

export type RecordKind = 'card' | 'purchase' | 'refund' | 'plan' | 'customer' | 'subscription';

/** @returns whether the kind belongs to the recurring area, which is deprecated (section 9) */
export function isRecurring(kind: RecordKind): boolean {
  return kind === 'plan' || kind === 'customer' || kind === 'subscription';
}

const KINDS: Readonly<Record<string, RecordKind>> = {
  P: 'purchase',
  R: 'refund',
  PL: 'plan',
  C: 'customer',
  S: 'subscription',
};

/**
 * @returns the kind an id's shape speaks of, or undefined. A hint and never a check: deployments
 *   send other shapes.
 */
export function kindOfId(id: string): RecordKind | undefined {
  const code = /^\d{3,5}-([A-Z]{1,2})-\w+$/.exec(id)?.[1];
  return code === undefined ? undefined : KINDS[code];
}

/**
 * @returns an id as records have it: to many a gateway spaces around it and small letters make no
 *   difference, and what is known of a record must not depend on them. Any other text as it came.
 */
export function plainId(text: string): string {
  const plain = text.trim().toUpperCase();
  return kindOfId(plain) === undefined ? text : plain;
}

/** @returns ids of several records as one text */
export function idsText(ids: readonly string[]): string {
  return ids.join(', ');
}

/** @returns the ids in such a text; of one id itself */
export function idsIn(text: string): string[] {
  return text.split(', ');
}
