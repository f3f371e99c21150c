/**
 * An event for a profile that remembers nothing (`gw profile set NAME --no-remember`): it is kept whole
 * while it waits to be passed on, and what stays of it tells a repetition from something new, and
 * nothing of a person. What it is ordered by may be a customer's email, so a digest stands for it.
 */
import { createHash } from 'node:crypto';
import type { NewEvent } from '../event.ts';

export function transientEvent(event: NewEvent): NewEvent {
  const source = createHash('sha256').update(event.source).digest('base64url').slice(0, 22);
  const bare = {
    ...event,
    source: `digest ${source}`,
    subjects: [],
    customers: [],
    isTransient: true,
  };
  return event.forwardTo === null ? { ...bare, headers: [], body: new Uint8Array() } : bare;
}
