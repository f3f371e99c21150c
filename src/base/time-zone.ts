/**
 * Days in a time zone: which day contains an instant, and when a day begins.
 *
 * A day begins at the first instant when clocks show midnight. If clocks are put forward past midnight, it begins at
 * that change. It ends where the next one begins. So days follow each other without a gap. A day has 23 or 25 hours
 * when clocks change, and none when a zone skipped it (Samoa, 30 December 2011).
 */
import { usage } from '../failure.ts';
import { DAY_MS, dayNumber, dayText } from './calendar.ts';

const MAX_SUGGESTIONS = 3;

/** The names of the IANA database (2026e) that have no slash, without `Factory`, which is no zone. */
const WITHOUT_SLASH: ReadonlySet<string> = new Set(
  `cet cst6cdt cuba eet egypt eire est est5edt gb gb-eire gmt gmt+0 gmt-0 gmt0 greenwich hongkong hst iceland iran israel
  jamaica japan kwajalein libya met mst mst7mdt navajo nz nz-chat poland portugal prc pst8pdt roc rok singapore turkey
  uct universal utc w-su wet zulu`.split(/\s+/),
);

/** Where people who type an abbreviation mostly are. `Intl` knows some more. */
const ABBREVIATIONS = `acst:Australia/Adelaide aedt:Australia/Sydney aest:Australia/Sydney act:Australia/Sydney
  awst:Australia/Perth art:America/Argentina/Buenos_Aires ast:America/Halifax bst:Europe/London cdt:America/Chicago
  cest:Europe/Berlin cst:America/Chicago cst:Asia/Shanghai ect:America/Guayaquil edt:America/New_York hkt:Asia/Hong_Kong ist:Asia/Kolkata
  ist:Europe/Dublin ist:Asia/Jerusalem kst:Asia/Seoul mdt:America/Denver msk:Europe/Moscow nst:America/St_Johns nzdt:Pacific/Auckland
  nzst:Pacific/Auckland pdt:America/Los_Angeles pst:America/Los_Angeles sast:Africa/Johannesburg sgt:Asia/Singapore
  sst:Pacific/Pago_Pago wib:Asia/Jakarta`;

/** Names with a slash that `Intl` takes, and that the IANA database has not, or not any more. */
const ONLY_IN_NODE = /^(?:systemv\/.*|us\/pacific-new|canada\/east-saskatchewan)$/i;

export interface TimeZone {
  /** The name as given, for example `Australia/Sydney`. */
  readonly name: string;
  /**
   * @param instant milliseconds since 1970 (UTC)
   * @returns its day in the zone, `YYYY-MM-DD`
   */
  dayOf(instant: number): string;
  /**
   * @param day `YYYY-MM-DD`
   * @returns when it begins in the zone, in milliseconds since 1970 (UTC)
   */
  startOf(day: string): number;
  /**
   * @param local the time that clocks in the zone show, read as UTC, in milliseconds since 1970
   * @returns the first instant when they show it; if they skip it, the instant of the change
   */
  instantAt(local: number): number;
  /**
   * @param instant milliseconds since 1970 (UTC)
   * @returns the time that clocks in the zone show, `YYYY-MM-DD HH:MM`
   */
  clockAt(instant: number): string;
}

/**
 * @param name name in the IANA database, in any case: `Australia/Sydney`, `UTC`
 * @throws Failure usage if there is no such time zone
 */
export function openTimeZone(name: string): TimeZone {
  if (!isTimeZone(name)) throw unknownTimeZone(name);
  return lazyTimeZone(() => name);
}

/** @param nameOf gives the name of a zone, and is called on its first use */
export function lazyTimeZone(nameOf: () => string): TimeZone {
  let opened: { name: string; format: Intl.DateTimeFormat } | undefined;
  const zone = () => {
    if (opened) return opened;
    const name = nameOf();
    opened = { name, format: formatOf(name) };
    return opened;
  };
  const offsetAt = (instant: number) => offsetOf(zone().format, instant);
  const instantAt = (local: number) => firstInstant(offsetAt, local);

  return {
    get name() {
      return zone().name;
    },
    dayOf(instant) {
      const shown = Math.floor((instant + offsetAt(instant)) / DAY_MS);
      // If clocks are put back past midnight, they show the previous day again.
      return dayText(instant < instantAt((shown + 1) * DAY_MS) ? shown : shown + 1);
    },
    startOf: (day) => instantAt(dayNumber(day) * DAY_MS),
    instantAt,
    clockAt: (instant) =>
      new Date(instant + offsetAt(instant)).toISOString().slice(0, 16).replace('T', ' '),
  };
}

/** @returns whether the IANA database has the zone. `Intl` also takes names of its own, such as BST for Bangladesh. */
export function isTimeZone(name = ''): boolean {
  const isOfDatabase = name.includes('/')
    ? !ONLY_IN_NODE.test(name)
    : WITHOUT_SLASH.has(name.toLowerCase());
  return isOfDatabase && nameInNode(name) !== '';
}

/** @returns what Node calls a zone; an empty text if it knows none */
function nameInNode(name: string): string {
  try {
    // Only some versions of Node accept offsets (+10:00), and an offset has no daylight saving time.
    if (!/^[A-Za-z]/.test(name)) return '';
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return '';
  }
}

function formatOf(name: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
}

function unknownTimeZone(name: string) {
  return usage(
    'time-zone-unknown',
    `${JSON.stringify(name)} is not a time zone.`,
    zonesMeant(name) ?? 'Use a name from the IANA database, for example Australia/Sydney or UTC.',
  );
}

/** @returns which zones an unknown name may mean, as a question; undefined if nothing is like it */
export function zonesMeant(name: string): string | undefined {
  const wanted = name.trim().replaceAll(' ', '_').toLowerCase();
  const titled = wanted.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase());
  const known = Intl.supportedValuesOf('timeZone');
  const pairs = ABBREVIATIONS.split(/\s+/).map((pair) => pair.split(':'));
  const meant = [
    ...pairs.flatMap(([short, zone]) => (short === wanted ? zone : [])),
    nameInNode(wanted),
    // Node has many zones under an old name (Asia/Calcutta), but takes the new one.
    ...known.map((zone) => `${zone.split('/')[0]}/${titled}`),
  ].filter(isTimeZone);
  const words = (text: string) => `/${text}`.replaceAll('_', '/').toLowerCase();
  const alike = known.filter((zone) => wanted.length > 2 && words(zone).includes(words(wanted)));
  const like = [...new Set(meant.length > 0 ? meant : alike)].slice(0, MAX_SUGGESTIONS);
  return like.length > 0 ? `Did you mean ${like.join(' or ')}?` : undefined;
}

/**
 * @param instant must not be before the year 100
 * @returns how far clocks in the zone are ahead of UTC, in milliseconds
 */
function offsetOf(format: Intl.DateTimeFormat, instant: number): number {
  const shown: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of format.formatToParts(instant)) shown[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = shown;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
}

/** @returns the first instant when clocks show `local`, or the one at which they skipped it */
function firstInstant(offsetAt: (instant: number) => number, local: number): number {
  let before = local - DAY_MS;
  let after = local + DAY_MS;
  const candidates = [offsetAt(before), offsetAt(after)]
    .map((offset) => ({ instant: local - offset, offset }))
    .filter(({ instant, offset }) => offsetAt(instant) === offset);
  if (candidates.length > 0) return Math.min(...candidates.map(({ instant }) => instant));
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (middle + offsetAt(middle) < local) before = middle;
    else after = middle;
  }
  return after;
}
