/** Why something did not succeed, beside a word that says that it did not. */
import { capitalised } from '../base/text.ts';

/** How messages of rejections and of unknown outcomes begin (client/exchange/classify.ts). */
const SAID_ALREADY = /^(?:The gateway rejected the request|Outcome unknown)(?:: |\.?$)/;

/** @returns the message without what its outcome says already; empty where it says no more than that */
export function reasonIn(message: string): string {
  const reason = message.replace(SAID_ALREADY, '');
  return reason === message ? message : capitalised(reason);
}
