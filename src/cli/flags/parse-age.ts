/** `--older-than`: an age, as a number of days, weeks or years. */
import { usage } from '../../failure.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS: Readonly<Record<string, number>> = { d: 1, w: 7, y: 365 };
const MAX_DAYS = 100 * 365;

/**
 * @param text for example `90d`, `12w`, `1y`
 * @returns milliseconds
 * @throws Failure usage when it is no age
 */
export function parseAge(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,6})([dwy])$/.exec(text) ?? [];
  const days = Number(number) * (DAYS[unit] ?? Number.NaN);
  if (number !== '' && days <= MAX_DAYS) return days * DAY_MS;
  throw usage(
    'age-invalid',
    `--older-than takes days, weeks or years, not ${JSON.stringify(text)}.`,
    'For example 90d, 12w or 2y.',
  );
}
