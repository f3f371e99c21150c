/** Shortens the reason of a failure that stands beside its outcome. */
import { capitalised } from '../base/text.ts';

/** The beginnings of messages about rejections and unknown outcomes (client/exchange/classify.ts). */
const SAID_ALREADY = /^(?:The gateway rejected the request|Outcome unknown)(?:: |\.?$)/;

/** @returns the message without the part that the outcome already says; empty if nothing else is left */
export function reasonIn(message: string): string {
  const reason = message.replace(SAID_ALREADY, '');
  return reason === message ? message : capitalised(reason);
}

/** @returns the message without what the outcome beside it already says; empty if nothing else is left */
export function reasonBeside(outcome?: string | null, message?: string | null): string {
  return message?.toLowerCase() === outcome?.toLowerCase() ? '' : reasonIn(message ?? '');
}

const LAST_STATUS = /^(?:successful|scheduled|queued|failed \(\d+\), (?:pending|aborted))$/i;

/** @returns a webhook's message without the state of the subscription (section 3.2), which is no reason; may be empty */
export function withoutStatus(message: string): string {
  const parts = message.split('; ').filter((part) => !LAST_STATUS.test(part));
  return parts.join('; ');
}
