/** What a list says about itself under its table. */
import { plural } from '../base/plural.ts';
import type { ListCounts } from '../contract/envelope.ts';
import type { RecordView } from './columns.ts';

/**
 * @param shown records that were printed
 * @param view names the records: `plan`, `plans`
 * @returns for example `Page 2 of 7, 20 of 134 plans`, as far as the counts are known
 */
export function countsText(
  counts: ListCounts,
  shown: number,
  { name, plural: names }: Pick<RecordView, 'name' | 'plural'>,
): string {
  const { current_page: page, pages, total_records: total } = counts;
  const what =
    total === undefined || total === shown
      ? `${shown} ${plural(shown, name, names)}`
      : `${shown} of ${total} ${names}`;
  if (page === undefined || (pages !== undefined && pages <= 1 && page <= 1)) return what;
  return `Page ${page}${pages === undefined ? '' : ` of ${pages}`}, ${what}`;
}

/** @returns whether a list is known to have more than was printed of it */
export function isPart({ pages, total_records: total }: ListCounts, shown: number): boolean {
  return total === undefined ? pages !== undefined && pages > 1 : total > shown;
}
