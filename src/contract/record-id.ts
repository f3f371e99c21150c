/** Record ids, such as `071-P-IE49OSAF`. They are opaque, but their shape hints at the kind (sections 2.3 to 2.7). */

export type RecordKind = 'card' | 'purchase' | 'refund' | 'plan' | 'customer' | 'subscription';

/** @returns whether the kind belongs to the deprecated recurring area (section 9) */
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
 * @returns the kind that an id's shape suggests, or undefined. Use it only as a hint, never as a check: deployments
 *   send other shapes.
 */
export function kindOfId(id: string): RecordKind | undefined {
  const code = /^\d{3,5}-([A-Z]{1,2})-\w+$/.exec(id)?.[1];
  return code === undefined ? undefined : KINDS[code];
}

/**
 * @returns an id in the form of records, in capitals and without spaces around it. Many gateways ignore these, and gw's
 *   knowledge of a record must not depend on them. Any other text is unchanged.
 */
export function plainId(text: string): string {
  const plain = text.trim().toUpperCase();
  return kindOfId(plain) === undefined ? text : plain;
}

/** @returns ids of several records as one text */
export function idsText(ids: readonly string[]): string {
  return ids.join(', ');
}

/** @returns the ids in a text from `idsText`; a single id gives itself */
export function idsIn(text: string): string[] {
  return text.split(', ');
}
