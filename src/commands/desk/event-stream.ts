/** Events as they come, for a page that stays open. */
import type { Desk } from './desk.ts';

/** Which events a page shows. */
export interface EventWish {
  after: number;
}

export async function* eventStream(
  _desk: Desk,
  _wish: EventWish,
  _left: AbortSignal,
): AsyncGenerator<string> {
  yield '';
}
