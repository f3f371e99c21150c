/** Compares the rules of a time zone that Node has with those of the system. The newer ones are right. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dayNumber, dayText } from '../base/calendar.ts';
import type { Days } from '../base/periods.ts';
import type { TimeZone } from '../base/time-zone.ts';

/** Four years. Of more days the last ones are compared, because rules change for the future. */
const MOST_DAYS = 1500;
const TIMEOUT_MS = 2_000;

/**
 * Asks `date` of GNU, which reads the files of the system. Elsewhere nothing is compared.
 * @param days `YYYY-MM-DD`; `next` is the day after the last one
 * @returns what differs and what to do about it; nothing if the days begin at the same times, or cannot be compared
 */
export function differenceOfRules(
  zone: TimeZone,
  { first, next }: Pick<Days, 'first' | 'next'>,
): readonly [message: string, next: string] | readonly [] {
  const folder = process.env.TZDIR ?? '/usr/share/zoneinfo';
  if (!existsSync(join(folder, zone.name))) return [];
  const from = Math.max(dayNumber(first), dayNumber(next) - MOST_DAYS);
  const length = dayNumber(next) - from + 1;
  const starts = Array.from({ length }, (_, i) => zone.startOf(dayText(from + i)));
  const { stdout } = spawnSync('date', ['-f', '-', '+%Y-%m-%d %H:%M'], {
    input: starts.map((start) => `@${start / 1000}\n`).join(''),
    env: { PATH: process.env.PATH, TZDIR: folder, TZ: `:${zone.name}` },
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
  });
  const clocks = stdout?.trimEnd().split('\n') ?? [];
  const place = starts.findIndex((start, i) => zone.clockAt(start) !== clocks[i]);
  if (place === -1 || clocks.length !== length) return [];
  const release = join(folder, 'tzdata.zi');
  const [theirs = 'of an unknown release'] = existsSync(release)
    ? (/\d{4}[a-z]+/.exec(readFileSync(release, 'latin1')) ?? [])
    : [];
  return [
    `For ${zone.name}, Node's rules (${process.versions.tz}) and this system's (${theirs}) differ, for example on ${dayText(from + place)}. gw counts days by Node's.`,
    'Update the older rules: "Time zones" in docs/output.md says how.',
  ];
}
