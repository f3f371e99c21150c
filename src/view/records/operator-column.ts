/** Who sent what is listed, as a column. */
import { type Column, cuttable, early, fieldColumn, late } from '../columns.ts';

/**
 * It is the last one. Where nobody but oneself is among them it stands aside early; names of others are
 * what is looked for, and only the narrowest lines lack them.
 * @param operators of all that is listed
 * @param self name of whoever looks
 */
export function operatorColumn(operators: readonly (string | null)[], self: string): Column {
  const isOfOthers = operators.some((operator) => operator !== null && operator !== self);
  return fieldColumn('operator', {
    header: 'sent by',
    ...(isOfOthers ? { ...cuttable, ...late } : early),
  });
}
