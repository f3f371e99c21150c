/** Shortens the reason of a failure that stands beside its outcome. */
import { capitalised } from '../base/text.ts';

/** The beginnings of messages about rejections and unknown outcomes (client/exchange/classify.ts). */
const SAID_ALREADY = /^(?:The gateway rejected the request|Outcome unknown)(?:: |\.?$)/;

/** @returns the message without the part that the outcome already says; empty if nothing else is left */
export function reasonIn(message: string): string {
  const reason = message.replace(SAID_ALREADY, '');
  return reason === message ? message : capitalised(reason);
}
