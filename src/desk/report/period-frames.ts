/** The parts of a period in a report by day, week or month. */
import { dayNumber } from '../../base/calendar.ts';
import { periodOf } from '../../base/periods.ts';
import { count } from '../../base/text.ts';
import { usage } from '../../failure.ts';
import type { ReportDesk, ReportPeriod } from './open-report.ts';
import type { RowFrame } from './report-row.ts';
import type { CalendarGrouping } from './report-view.ts';

/** The groupings by parts of the calendar, with the fewest days of a part. */
const CALENDAR_DAYS = { day: 1, week: 7, month: 28 } as const;
/** Each part is a report of its own. */
const MOST_FRAMES = 366;

/**
 * @param period of the report, or the one before it
 * @returns the frame of each day, week or month; the first and the last one may be a part of one. In any other report,
 *   the period is one frame
 * @throws Failure usage if there are too many
 */
export function framesBy(
  by: CalendarGrouping | undefined,
  desk: Pick<ReportDesk, 'frame' | 'zone'>,
  period: ReportPeriod,
): RowFrame[] {
  const { name, from, until, first, next } = period;
  if (by === undefined) return [{ ...desk.frame, period: name, from, until }];
  const length = Math.ceil((dayNumber(next) - dayNumber(first)) / CALENDAR_DAYS[by]);
  if (length > MOST_FRAMES)
    throw usage(
      'chart-too-long',
      `A report by ${by} has at most ${MOST_FRAMES} ${by}s, and this period has about ${count(length)}.`,
      'Give --since a later time, or leave out --by and --chart.',
    );
  return framesIn(by, desk, period);
}

/** @returns the frame of each day, week or month, however many */
export function framesIn(
  by: CalendarGrouping,
  { frame, zone }: Pick<ReportDesk, 'frame' | 'zone'>,
  { from, until, first, next }: ReportPeriod,
): RowFrame[] {
  const frames: RowFrame[] = [];
  for (let day = first; day < next; ) {
    const days = periodOf(by, day, { instant: new Date(from), zone });
    const start = days.from < from ? from : days.from;
    const end = days.until > until ? until : days.until;
    frames.push({ ...frame, period: days.name, from: start, until: end });
    day = days.next;
  }
  return frames;
}
