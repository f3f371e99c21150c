/** The whole command that reads the columns of a sheet as they seem to be meant, to be pasted and run. */
import path from 'node:path';
import { commandText, shellWord } from '../../base/shell.ts';
import type { BatchOptions } from './batch-options.ts';
import { type FieldColumns, plainName } from './engine/columns.ts';

/** References are made of it and of a record's name, so it is short. */
const MAX_PREFIX = 20;

/**
 * @param words after `gw`, the file last
 * @param read what the columns seem to be, and whether they name purchases by references
 * @returns undefined if nothing is known of the columns but what the flags say, or a field would have two columns
 */
export function meantCommand(
  words: readonly string[],
  { typed, columns: { mapped, ignored }, isByReference, referencePrefix }: BatchOptions,
  read: { columns: FieldColumns; isByReference: boolean },
): string | undefined {
  const [file = ''] = words.slice(-1);
  const { columns } = read;
  const { maps, ignored: left } = columns.proposal;
  const addsReferences = read.isByReference && !isByReference;
  const names = columns.names.filter((name) => name !== undefined);
  if (new Set(names).size < names.length) return undefined;
  const meant = new Set([...maps.values()].map(plainName));
  const kept = [...mapped].filter(([, column]) => !meant.has(plainName(column)));
  const hasReference = maps.has('reference') || kept.some(([field]) => field === 'reference');
  const isOwn = columns.placeOf('reference') >= 0 && !meant.has('reference');
  const isRefund = names.includes('transaction_id');
  const needsPrefix = isRefund && !hasReference && !isOwn && referencePrefix === undefined;
  if (maps.size === 0 && !addsReferences && !needsPrefix) return undefined;
  const out = [...ignored, ...left];
  return commandText(words, [
    ...Object.entries(typed).filter(([name]) => !['map', 'ignore-columns'].includes(name)),
    ['by-reference', addsReferences || undefined],
    ['map', [...kept, ...maps].map(([field, column]) => `${field}=${column}`)],
    ['reference-prefix', needsPrefix ? prefixOf(file) : undefined],
    ['ignore-columns', out.length > 0 ? out.join(',') : undefined],
  ]);
}

/**
 * @param words after `gw`, the file last
 * @returns how to have a column read as a field: run `gw …`, or add a flag where no command can be typed
 */
export function howToMap(
  words: readonly string[],
  { typed, columns: { mapped } }: BatchOptions,
  [field, column]: readonly [field: string, column: string],
): string {
  const map = `${field}=${column}`;
  const others = [...mapped].filter(([, other]) => plainName(other) !== plainName(column));
  const command = commandText(words, [
    ...Object.entries(typed).filter(([name]) => name !== 'map'),
    ['map', [...others.map(([one, name]) => `${one}=${name}`), map]],
  ]);
  return command === undefined ? `add --map ${shellWord(map)}` : `run \`${command}\``;
}

/** Another sheet is another file, mostly. */
function prefixOf(file: string): string {
  const { name } = path.parse(file);
  const words = name.toUpperCase().replaceAll(/[^A-Z\d]+/g, '-');
  return words.slice(0, MAX_PREFIX).replaceAll(/^-|-$/g, '') || 'REFUND';
}
