/** What a row of the books says of whether the money moved, in any of its columns. */
import type { Json } from '../../base/json.ts';
import type { Cells } from './cells.ts';

/** Whether it was approved, and by which column the row says so. */
export interface SaidOutcome {
  field: 'successful' | 'authorized' | 'state' | 'message';
  isApproved: boolean;
  /** As it is written there. */
  said: Json;
}

const FLAGS = ['successful', 'authorized'] as const;
const APPROVED = ['approved', 'successful', 'succeeded', 'authorized'];
const DECLINED = ['declined', 'unsuccessful', 'failed', 'refused', 'rejected'];

/**
 * `state` takes the words above. `message` is the gateway's: Approved and Declined say the outcome, and
 * anything else is a text to be compared, such as a reason.
 */
export function readOutcome(cells: Cells): {
  outcome: SaidOutcome | undefined;
  message: string | undefined;
} {
  const flags = FLAGS.map((field) => saidOf(field, cells.flag(field)));
  const state = cells.text('state');
  const message = cells.text('message');
  const words = [wordOf('state', state), wordOf('message', message)];
  if (state !== undefined && !words[0])
    cells.problem(
      `state is ${JSON.stringify(state)}, which is not one of ${[...APPROVED, ...DECLINED].join(', ')}`,
    );
  const all = [...flags, ...words].filter((one) => one !== undefined);
  const [outcome] = all;
  if (all.some(({ isApproved }) => isApproved !== outcome?.isApproved))
    cells.problem('says that it was approved and also that it was not');
  return { outcome, message: words[1] ? undefined : message };
}

function saidOf(
  field: SaidOutcome['field'],
  isApproved: boolean | undefined,
): SaidOutcome | undefined {
  return isApproved === undefined ? undefined : { field, isApproved, said: isApproved };
}

function wordOf(field: SaidOutcome['field'], text: string | undefined): SaidOutcome | undefined {
  const word = text?.toLowerCase();
  if (text === undefined || word === undefined) return undefined;
  if (field === 'message' && word !== 'approved' && word !== 'declined') return undefined;
  if (APPROVED.includes(word)) return { field, isApproved: true, said: text };
  return DECLINED.includes(word) ? { field, isApproved: false, said: text } : undefined;
}
