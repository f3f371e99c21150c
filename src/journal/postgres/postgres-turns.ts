/**
 * Turns: how two machines never both find nothing. Every intent about the same purchase or token takes
 * the same one, and is written only where that is still the one that was read with what is known.
 */
import { createHash } from 'node:crypto';
import { TURNS } from '../../store/ledger/postgres-schema.ts';
import type { MoneyRequest } from '../ledger.ts';

/**
 * A target decides what repeats, and what it gives back from decides what is left. The account is no
 * part of it, since one that is not known may be any.
 * @returns one number or two, below `TURNS`; the same for the same names in every version of gw
 */
export function turnsOf({
  target,
  refundOf,
}: Pick<MoneyRequest, 'target' | 'refundOf'>): [number, number] {
  const turn = turnOf(target ?? '');
  return [turn, refundOf === null || refundOf === target ? turn : turnOf(refundOf)];
}

function turnOf(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE() % TURNS;
}
