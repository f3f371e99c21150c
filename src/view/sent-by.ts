/**
 * The sender of a journal entry. In a team's ledger the server knows the role that entered it, and when. A machine can
 * claim anything, so its own claim is shown beside that if it differs.
 */
import type { JsonObject } from '../base/json.ts';
import { textOf } from './values.ts';

/**
 * The longest time between an entry's date and its entering that counts as the same: a server dates an entry when its
 * transaction begins, and enters it a moment later.
 */
const SAME_MS = 60_000;

export interface SentBy {
  /** The role; in a file the operator. */
  who: string | undefined;
  /** The time when it was entered (ISO 8601, UTC), if the entry states another time. */
  enteredAt: string | undefined;
  /** The operator that the machine named, if that is somebody else. */
  said: string | undefined;
}

/** @param record in the form of ENTRY_VIEW */
export function sentBy(record: JsonObject): SentBy {
  const [role, operator] = [textOf(record.entered_by), textOf(record.operator)];
  if (!role) return { who: operator, enteredAt: undefined, said: undefined };
  const enteredAt = textOf(record.entered_at);
  const isSameTime = !(apart(enteredAt, textOf(record.created_at)) > SAME_MS);
  const isSame = !operator || operator === role || operator.startsWith(`${role}@`);
  return {
    who: isSame ? operator || role : role,
    enteredAt: isSameTime ? undefined : enteredAt,
    said: isSame ? undefined : operator,
  };
}

/** @returns for example `ada`, `ada (says root@desk)` or `ada on 2026-03-10 (says root@desk)` */
export function sentByText(record: JsonObject): string | undefined {
  const { who, enteredAt, said } = sentBy(record);
  if (who === undefined) return undefined;
  const when = enteredAt === undefined ? '' : ` on ${enteredAt.slice(0, 10)}`;
  return `${who}${when}${said === undefined ? '' : ` (says ${said})`}`;
}

function apart(one: string | undefined, other: string | undefined): number {
  return Math.abs(Date.parse(one ?? '') - Date.parse(other ?? ''));
}
