/**
 * Periods as people type them: days, weeks, months, quarters and years of the calendar in a time zone.
 *
 *     2026-03-24   today   yesterday   7d   tuesday         a day; 7d, 2w, 3m, 1y are ago, and tuesday is the last one
 *     31/03/2026   31.3.26   31 March 2026                   a day, also in other languages
 *     31/03   31.3.   31 March   March 31st                 the last such day; the next one where a command looks ahead
 *     fifth of March   the twenty-first of May              the same
 *     2026-W13     week 13   this week   last week          a week, which begins on Monday (ISO 8601)
 *     2026-03      03/2026   2026/03   march   last month a month; march is the last one that has begun
 *     2026-Q1      q1   this quarter   last quarter         a quarter
 *     2026         this year   last year   ytd              a year; mtd is this month
 *
 * Nobody knows whether `03/04/2026` is in March or in April, so gw does not take it, unless the zone tells: it is in April
 * in Europe, Africa, Australia and New Zealand, and in March in the United States.
 *
 *     jan feb march   jan to march                          several that follow one another, and the time between two
 *
 * Case does not matter, and `last-month` is `last month`. A day, month or quarter also names the longer period that it is
 * in.
 */
import { usage } from '../failure.ts';
import { movedDay, parseAge } from './age.ts';
import { addMonths, dayNumber, dayText } from './calendar.ts';
import { DateColumn, orderInZone } from './date-column.ts';
import { lazyTimeZone, type TimeZone } from './time-zone.ts';

export const PERIOD_KINDS = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type PeriodKind = (typeof PERIOD_KINDS)[number];

/** Days of the calendar, independent of a time zone. */
export interface Days {
  kind: PeriodKind;
  /** `2026-03-24`, `2026-W13`, `2026-03`, `2026-Q1` or `2026`. */
  name: string;
  /** `YYYY-MM-DD` */
  first: string;
  /** The day after the last one. */
  next: string;
}

export interface Period extends Days {
  timeZone: string;
  /** ISO 8601, UTC: the first instant. */
  from: string;
  /** ISO 8601, UTC: the first instant after the period. */
  until: string;
}

/** The present, for interpreting a period. */
export interface Now {
  instant: Date;
  zone: TimeZone;
  /** true for what is to come: a day or month without its year is then the next one, and `next` is understood. */
  looksAhead?: boolean;
}

/** Earlier years are typing errors, and time zones had no rules yet. */
const FIRST_YEAR = 1900;
const LAST_YEAR = 2999;
const DAYS = 'today, yesterday, 7d or a date such as 2026-03-24';
const SOME_MONTHS = '2026-03, march or last month';
const EXAMPLES = {
  day: `Use ${DAYS}.`,
  week: `Use 2026-W13, last week or any day of the week: ${DAYS}.`,
  month: `Use a month such as ${SOME_MONTHS}, or any day of it: ${DAYS}.`,
  quarter: `Use a quarter such as 2026-Q1, q1 or last quarter, or a month of it: ${SOME_MONTHS}.`,
  year: `Use a year such as 2026 or last year, or a month of it: ${SOME_MONTHS}.`,
} as const satisfies Record<PeriodKind, string>;

/** Periods that lie in one of each longer kind. A week may lie in two months. */
const NESTED: readonly PeriodKind[] = ['day', 'month', 'quarter', 'year'];

/**
 * @param kind the wanted period; `week` with a day means the week that contains it
 * @param text the typed text; today if undefined
 * @throws Failure usage if it names no period, or one that does not lie in a wanted one
 */
export function periodOf(kind: PeriodKind, text: string | undefined, now: Now): Period {
  // `last` is the last one of the kind.
  const isAlone = /^(?:last|previous|this|current|next)$/i.test(text?.trim() ?? '');
  const named = parseDays(isAlone ? `${text} ${kind}` : (text ?? 'today'), now);
  const days = named && isWithin(named.kind, kind) ? around(kind, named.first) : named;
  if (days?.kind !== kind) {
    const what = days ? `a ${days.kind}, not a ${kind}` : `not a ${kind}`;
    const range = rangeMeant(text);
    const next = range ? `Use \`--since ${range}\` for the time until now.` : EXAMPLES[kind];
    throw usage('period-invalid', `${JSON.stringify(text)} is ${what}.`, next);
  }
  const { zone } = now;
  const instant = (day: string) => new Date(zone.startOf(day)).toISOString();
  return { ...days, timeZone: zone.name, from: instant(days.first), until: instant(days.next) };
}

/** @returns the first day after the days that `next 3 months` names, from today on; undefined for other texts */
export function endAhead(text: string, today: string): string | undefined {
  const [, said] = /^(?:the )?(?:next|coming)[\s-](\d.*)$/i.exec(text.trim()) ?? [];
  const age = said === undefined ? undefined : parseAge(said.replaceAll('-', ' '));
  return age && age.unit !== 'min' && age.unit !== 'h' ? movedDay(today, age) : undefined;
}

/** @returns the age that `last 30 days` ends with, as --since takes it: `30d`; undefined for other texts */
export function rangeMeant(text = ''): string | undefined {
  const [, said] = /^(?:the )?(?:last|past|previous)[\s-](.*)$/i.exec(text.trim()) ?? [];
  const age = said === undefined ? undefined : parseAge(said.replaceAll('-', ' '));
  return age && `${age.count}${age.unit}`;
}

function isWithin(named: PeriodKind, kind: PeriodKind): boolean {
  if (kind === 'week') return named === 'day';
  return NESTED.includes(named) && NESTED.indexOf(named) <= NESTED.indexOf(kind);
}

/** @returns the days that a text names; undefined if it names none @throws Failure usage if it may name several */
export function parseDays(text: string, now: Now): Days | undefined {
  const [days, ...others] = daysMeant(text, now);
  if (others.length === 0) return days;
  const all = [days, ...others].map((one) => one?.name);
  throw usage(
    'date-ambiguous',
    `${JSON.stringify(text.trim())} may be ${all.join(' or ')}.`,
    'Write the year first, as in the one that you mean.',
  );
}

/** The words between the first and the last period of a range. */
const TO = /^(?:to|until|till|through)$/i;

/**
 * @param typed words, of which a period may be up to three
 * @returns the words with those of a period in one: `last month`; a range such as `jan-mar` in three
 */
export function joinedPeriods(typed: readonly string[], isPeriod = isNamedPeriod): string[] {
  const [left, words] = [typed.flatMap(rangeInWords), [] as string[]];
  while (left.length > 0) {
    const count = [3, 2].find((some) => isPeriod(left.slice(0, some).join(' '))) ?? 1;
    words.push(left.splice(0, count).join(' '));
  }
  return words;
}

/** @returns `jan to mar` for `jan-mar`, and any other word as it is */
function rangeInWords(word: string): string[] {
  const [, first = '', last = ''] = /^(\p{L}[\p{L}\d]+)[-–](\p{L}[\p{L}\d]+)$/u.exec(word) ?? [];
  return isNamedPeriod(first) && isNamedPeriod(last) ? [first, 'to', last] : [word];
}

/**
 * @param isValue whether the word at a place is the value of a flag
 * @returns the words with those of the first time in one: `jan feb march`, `jan to march`
 */
export function withTimeInOne(
  words: readonly string[],
  isValue: (at: number) => boolean,
): readonly string[] {
  const start = words.findIndex((word, at) => isNamedPeriod(word) && !isValue(at));
  if (start === -1) return words;
  const rest = words.slice(start);
  const isPart = (word: string, at: number) =>
    isNamedPeriod(word) || (TO.test(word) && isNamedPeriod(rest[at + 1] ?? ''));
  const end = rest.findIndex((word, at) => !isPart(word, at));
  const time = rest.slice(0, end === -1 ? rest.length : end);
  return [...words.slice(0, start), time.join(' '), ...rest.slice(time.length)];
}

const isNamedPeriod = (text: string) => periodKind(text) !== undefined;

/** The words of the longest period that people type beside a name: `from last month to this month` has more. */
const MOST_WORDS = 5;

/**
 * @param words a name, and perhaps a period behind it: `ada byron last month`
 * @param hasRanges whether a range such as `last 30 days` is one, too, as it is for a report
 * @returns the name as one text, and the period; undefined if the words end in none
 */
export function periodBehind(
  words: readonly string[],
  hasRanges = false,
): {
  name: string;
  period: string | undefined;
} {
  for (let count = Math.min(MOST_WORDS, words.length - 1); count > 0; count--) {
    const period = onePeriod(words.slice(-count), hasRanges);
    if (period !== undefined) return { name: words.slice(0, -count).join(' '), period };
  }
  return { name: words.join(' '), period: undefined };
}

const LINKS = /^(?:in|of|for)$/i;

/** @returns the period that the words are as a whole; undefined if they are none, or more */
function onePeriod(words: readonly string[], hasRanges: boolean): string | undefined {
  if (hasRanges && rangeMeant(words.join(' '))) return words.join(' ');
  const said = joinedPeriods(words.filter((word) => !LINKS.test(word)));
  const [period = '', more] = withTimeInOne(said, () => false);
  return more === undefined && isNamedPeriod(said[0] ?? '') ? period : undefined;
}

/**
 * @param words a period, and a name behind it: `last month ada byron`
 * @returns both, as `periodBehind` does, and whether the period may be the first name of a person: `may wong`
 */
export function periodInFront(
  words: readonly string[],
): ReturnType<typeof periodBehind> & { mayBeName: boolean } {
  for (let count = Math.min(MOST_WORDS, words.length - 1); count > 0; count--) {
    const period = onePeriod(words.slice(0, count), true);
    if (period === undefined) continue;
    const rest = words.slice(count);
    const name = rest.slice(LINKS.test(rest[0] ?? '') ? 1 : 0).join(' ');
    return { name, period, mayBeName: /^\p{L}+$/u.test(period) && !NO_NAMES.test(period) };
  }
  return { name: words.join(' '), period: undefined, mayBeName: false };
}

/** @returns the name, and the period of a report behind it, or before it if nobody is called like that */
export function periodBeside(words: readonly string[]): ReturnType<typeof periodBehind> {
  const behind = periodBehind(words, true);
  const front = periodInFront(words);
  return behind.period !== undefined || front.mayBeName ? behind : front;
}

/** Words for periods that nobody is called by. */
const NO_NAMES =
  /^(?:january|february|march|september|october|november|december|today|yesterday)$/i;

/**
 * @param text a period; several that follow one another; or two, and the time between them
 * @returns the only period, or the first and the last one; undefined if the text names none
 * @throws Failure usage if there is a gap between them, or a day may be several
 */
export function parseSpan(text: string, now: Now): Record<'first' | 'last', Days> | undefined {
  const whole = parseDays(text, now);
  if (whole) return { first: whole, last: whole };
  const words = joinedPeriods(text.trim().split(/\s+/));
  const named = words.filter((word) => !TO.test(word));
  const all = named.flatMap((word) => parseDays(word, now) ?? []);
  const [first, last] = [all[0], all.at(-1)];
  if (!first || !last || all.length < named.length) return undefined;
  const isRange = all.length === 2 && words.length === 3;
  if (isRange || all.every((one, at) => at === 0 || one.first === all[at - 1]?.next))
    return { first, last };
  const [begin, ...later] = [...all].sort((one, other) => (one.first < other.first ? -1 : 1));
  throw usage(
    'period-invalid',
    `${JSON.stringify(text)} names periods that do not follow one another.`,
    `Use \`--since ${begin?.name} --until ${later.at(-1)?.name}\` for all the time between.`,
  );
}

/** `31st`, `the 31st of` */
const ORDINAL = /\b(?:the )?(\d{1,2})(?:st|nd|rd|th)\b(?: of(?= ))?/g;

const ORDINALS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'.split(
    ' ',
  );
/** `fifth`, `twenty-first`; the first week and the first quarter are no days. */
const ORDINAL_WORD = new RegExp(
  `\\b(?:(twenty|thirty)[ -])?(${ORDINALS.join('|')}|thirtieth)\\b(?! (?:week|quarter))`,
  'g',
);

/** @returns a text with the words for days of a month as numbers: `5th of march` */
function withNumbers(text: string): string {
  return text.replace(ORDINAL_WORD, (_, tens: string | undefined, word: string) => {
    const number = word === 'thirtieth' ? 30 : ORDINALS.indexOf(word) + 1;
    return `${number + (tens === undefined ? 0 : tens === 'twenty' ? 20 : 30)}th`;
  });
}

/** @returns the days of `the first week of march`, which are its first seven, `last` too; empty for other texts */
export function weekOfMonth(text: string, now: Now): (Days & { last?: string })[] {
  const [, word = '', month = ''] =
    /^(?:the )?(first|second|third|fourth|last) week (?:of )?(.+)$/i.exec(text.trim()) ?? [];
  return (month === '' ? [] : daysMeant(month, now))
    .filter(({ kind }) => kind === 'month')
    .map(({ first, next }) => {
      const start = word.toLowerCase() === 'last' ? dayNumber(next) - 7 : dayNumber(first);
      const begin = start + 7 * Math.max(0, ORDINALS.indexOf(word.toLowerCase()));
      const [name, last, after] = [begin, begin + 6, begin + 7].map(dayText) as [
        string,
        string,
        string,
      ];
      return { kind: 'week', name, first: name, last, next: after };
    });
}

/** @returns what a text may mean: several days if the day may stand before or after the month */
export function daysMeant(text: string, { instant, zone, looksAhead = false }: Now): Days[] {
  const words = withNumbers(text.trim().toLowerCase()).replaceAll(ORDINAL, '$1');
  const today = zone.dayOf(instant.getTime());
  const spoken = words.replaceAll(/[\s-]+/g, ' ');
  const named =
    isoPeriod(yearFirst(words)) ??
    (looksAhead ? comingPeriod(spoken, today) : undefined) ??
    spokenPeriod(spoken, today);
  if (named) return [named];
  const days = writtenDays(words, today, zone);
  const found = days.length > 0 ? days : nearestDays(words, today, { zone, looksAhead });
  return found.map((day) => around('day', day));
}

const ANY_DAY = { instant: new Date(0), zone: lazyTimeZone(() => 'UTC') };
const AHEAD = { ...ANY_DAY, looksAhead: true };

/** @returns the kind of period that a text names on any day, in any zone; undefined if it names none */
export function periodKind(text: string): PeriodKind | undefined {
  return (daysMeant(text, ANY_DAY)[0] ?? daysMeant(text, AHEAD)[0])?.kind;
}

/** @returns the days that a text with a year may mean */
function writtenDays(text: string, today: string, { name }: TimeZone): string[] {
  const column = new DateColumn({ today });
  // The column would take the day of a time.
  if (text.includes(':') || !column.add(text)) return [];
  const order = orderInZone(name);
  if (order !== undefined) column.decide(order);
  const day = column.read(text);
  const days = day === undefined ? column.readings(text).map((reading) => reading.day) : [day];
  return [...new Set(days)].filter(isDay);
}

/** A day without its year. */
const DAY_AND_MONTH = /^\d{1,2}([-/.])\d{1,2}\1?$/;
/** A 29th of February may be long ago. */
const MOST_YEARS_AWAY = 8;

/** @returns the last such days up to today, or the next ones from today on */
function nearestDays(
  text: string,
  today: string,
  { zone, looksAhead }: Required<Omit<Now, 'instant'>>,
): string[] {
  const [, mark] = DAY_AND_MONTH.exec(text) ?? [];
  if (mark === undefined && !/^(?=\D*\d{1,2}\D*$).*\p{L}/u.test(text)) return [];
  for (let years = 0; years <= MOST_YEARS_AWAY; years++) {
    const year = Number(today.slice(0, 4)) + (looksAhead ? years : -years);
    const dated = text.replace(/[-/.]$/, '') + (mark ?? ' ') + year;
    const days = writtenDays(dated, today, zone).filter((day) =>
      looksAhead ? day >= today : day <= today,
    );
    if (days.length > 0) return days;
  }
  return [];
}

/** @returns `2026-03` for `3/2026` and `2026/03`, and any other text as it is */
const yearFirst = (text: string) =>
  text
    .replace(/^(\d{4})[/.](\d\d)$/, '$1-$2')
    .replace(
      /^(\d\d?)[/.-](\d{4})$/,
      (_, month: string, year: string) => `${year}-${month.padStart(2, '0')}`,
    );

/** @param text `2026-03-24`, `2026-03`, `2026`, `2026-w13` or `2026-q1` */
function isoPeriod(text: string): Days | undefined {
  const [, year = '', unit = '', number = '', day] =
    /^(\d{4})(?:-([wq]?)(\d\d?)(?:-(\d\d))?)?$/.exec(text) ?? [];
  if (year === '') return undefined;
  if (unit === 'w') return day === undefined ? weekNamed(year, Number(number)) : undefined;
  if (unit === 'q') return day === undefined ? quarterNamed(year, Number(number)) : undefined;
  const first = `${year}-${number || '01'}-${day ?? '01'}`;
  const kind = day === undefined ? (number === '' ? 'year' : 'month') : 'day';
  return isDay(first) ? around(kind, first) : undefined;
}

/** The 4th of January is always in the first week. */
function weekNamed(year: string, week: number): Days | undefined {
  if (!isDay(`${year}-01-04`)) return undefined;
  const days = around('week', dayText(dayNumber(`${year}-01-04`) + 7 * (week - 1)));
  return days.name === `${year}-W${String(week).padStart(2, '0')}` ? days : undefined;
}

function quarterNamed(year: string, quarter: number): Days | undefined {
  const first = `${year}-${String(3 * quarter - 2).padStart(2, '0')}-01`;
  return isDay(first) ? around('quarter', first) : undefined;
}

const PRESENT = ['this', 'current'];

/** @param text in lower case, with single spaces @param today `YYYY-MM-DD` */
function spokenPeriod(text: string, today: string): Days | undefined {
  const yesterday = dayText(dayNumber(today) - 1);
  if (text === 'today') return around('day', today);
  if (text === 'yesterday') return around('day', yesterday);
  const age = parseAge(text.replace(/ ago$/, ''));
  if (age && age.unit !== 'min' && age.unit !== 'h')
    return around('day', movedDay(today, { ...age, count: -age.count }));
  const [, toDate] = /^([wmqy])td$/.exec(text) ?? [];
  const kindToDate = PERIOD_KINDS.find((kind) => kind[0] === toDate);
  if (kindToDate) return around(kindToDate, today);
  const [, which = '', unit] =
    /^(this|current|last|previous) (week|month|quarter|year)$/.exec(text) ?? [];
  if (unit !== undefined) {
    const { kind, first, ...present } = around(unit as PeriodKind, today);
    if (PRESENT.includes(which)) return { kind, first, ...present };
    return around(kind, dayText(dayNumber(first) - 1));
  }
  return weekdayNamed(text, yesterday) ?? ofYear(text, today);
}

/** @returns the next period of that name, or the one that has not ended; undefined if a text names none of these */
function comingPeriod(text: string, today: string): Days | undefined {
  if (text === 'tomorrow') return around('day', dayText(dayNumber(today) + 1));
  const [, unit] = /^next (day|week|month|quarter|year)$/.exec(text) ?? [];
  if (unit !== undefined) return around(unit as PeriodKind, around(unit as PeriodKind, today).next);
  if (text.startsWith('last ')) return undefined;
  const name = text.replace(/^next /, '');
  const inAWeek = weekdayNamed(name, dayText(dayNumber(today) + 7));
  if (inAWeek || /\d{4}$/.test(name)) return inAWeek;
  const last = ofYear(name, today);
  return last && last.next <= today
    ? ofYear(`${name} ${Number(last.first.slice(0, 4)) + 1}`, today)
    : last;
}

const WEEKDAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');

/** @returns the last of these weekdays up to a day */
function weekdayNamed(text: string, day: string): Days | undefined {
  const weekday = placeOf(text.replace(/^last /, ''), WEEKDAYS);
  if (weekday === -1) return undefined;
  const number = dayNumber(day);
  return around('day', dayText(number - ((weekdayOf(number) - weekday + 7) % 7)));
}

const MONTHS =
  'january february march april may june july august september october november december'.split(
    ' ',
  );

/** @returns the week, quarter or month of the named year, or else the last one that has begun */
function ofYear(text: string, today: string): Days | undefined {
  const [, word = '', named] =
    /^(q[1-4]|w\d\d?|[a-z]+)(?: (\d{4}))?$/.exec(
      text
        .replace(
          /^(first|second|third|fourth)(?= quarter)/,
          (word) => `q${ORDINALS.indexOf(word) + 1}`,
        )
        .replace(/^(w)eek (?=\d)|^(q)uarter (?=\d)|(?<=^q\d) quarter/, '$1$2'),
    ) ?? [];
  const month = placeOf(word, MONTHS) + 1;
  const inYear = (year: string) => {
    const number = Number(word.slice(1));
    if (number > 0) return (word[0] === 'q' ? quarterNamed : weekNamed)(year, number);
    const first = `${year}-${String(month).padStart(2, '0')}-01`;
    return month > 0 && isDay(first) ? around('month', first) : undefined;
  };
  const year = today.slice(0, 4);
  const days = inYear(named ?? year);
  return named === undefined && days && days.first > today
    ? inYear(String(Number(year) - 1))
    : days;
}

/** @returns the place of a word among names, of which three letters are enough; -1 if it is none */
function placeOf(word: string, names: readonly string[]): number {
  return word.length < 3 ? -1 : names.findIndex((name) => name.startsWith(word));
}

/** @returns the period of a kind that contains a day */
export function around(kind: PeriodKind, day: string): Days {
  const number = dayNumber(day);
  const year = day.slice(0, 4);
  if (kind === 'day') return { kind, name: day, first: day, next: dayText(number + 1) };
  if (kind === 'week') {
    const monday = number - weekdayOf(number);
    return { kind, name: weekName(monday), first: dayText(monday), next: dayText(monday + 7) };
  }
  if (kind === 'month') return { kind, name: day.slice(0, 7), ...monthsFrom(day.slice(0, 7), 1) };
  if (kind === 'year') return { kind, name: year, ...monthsFrom(`${year}-01`, 12) };
  const quarter = Math.ceil(Number(day.slice(5, 7)) / 3);
  const month = String(3 * quarter - 2).padStart(2, '0');
  return { kind, name: `${year}-Q${quarter}`, ...monthsFrom(`${year}-${month}`, 3) };
}

/** @param month `YYYY-MM` @param count how many months */
function monthsFrom(month: string, count: number): Pick<Days, 'first' | 'next'> {
  const first = `${month}-01`;
  return { first, next: addMonths(first, count) };
}

/** A week belongs to the year of its Thursday (ISO 8601). */
function weekName(monday: number): string {
  const year = dayText(monday + 3).slice(0, 4);
  const week = Math.floor((monday + 3 - dayNumber(`${year}-01-01`)) / 7) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/** @returns 0 for Monday; 1970-01-01 was a Thursday */
function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

function isDay(day: string): boolean {
  const number = dayNumber(day);
  if (Number.isNaN(number) || dayText(number) !== day) return false;
  const year = Number(day.slice(0, 4));
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}
