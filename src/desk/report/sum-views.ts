/**
 * The views of sums: those of a whole period, and those of groups, whose name is the first column.
 *
 * Tests: test/scripts/commands/report.script
 */
import {
  type Column,
  cuttable,
  extra,
  fieldColumn,
  type Moment,
  type OwnView,
  ownView,
} from '../../view/columns.ts';
import { textOf } from '../../view/values.ts';
import type { GroupRow } from './group-rows.ts';
import {
  CALENDAR_GROUPINGS,
  type CalendarGrouping,
  type ForecastGrouping,
  moneyColumn,
  NET,
  named,
  type PropertyGrouping,
  type RefundGrouping,
  type ReportRow,
  sumColumn,
  tally,
} from './report-view.ts';

const shareColumn: Column = {
  header: 'of all attempts',
  align: 'right',
  text: ({ share }) => (typeof share === 'number' ? `${(share * 100).toFixed(1)} %` : undefined),
};

const columns: readonly Column[] = [
  fieldColumn('what', {
    explain: (cells) =>
      cells.includes('purchases') && cells.includes('charges')
        ? 'Purchases are single sales, and charges those of subscriptions.'
        : undefined,
  }),
  fieldColumn('reason', cuttable),
  tally('count'),
  moneyColumn,
];

const tallyBefore = fieldColumn('before_count', { align: 'right', ...extra });
const moneyBefore = { ...sumColumn('before_amount'), header: 'before' };

const DATES = { from: 'date', until: 'date' } as const;

const sums = {
  ...named,
  // biome-ignore format: names that belong together stand in one line
  mayHave: [
    'period', 'from', 'until', 'time_zone', 'profile', 'currency', 'what', 'reason',
    'count', 'amount', 'operator', 'before_count', 'before_amount',
  ],
  sums: ['before_amount'],
  moments: DATES,
  hasNoIds: true,
  omitsEmpty: true,
  id: () => undefined,
} as const;

export const REPORT_VIEW = ownView<ReportRow>({ ...sums, columns });

/** A grouping, or the name of a customer by whom rows are grouped. */
export type GroupName = CalendarGrouping | PropertyGrouping | RefundGrouping | 'who';

/** @returns the names, of which those of groups come first */
function withGroups<Group extends string, Name extends string>(
  groups: readonly Group[],
  names: readonly Name[],
): (Group | Name)[] {
  return [...groups, ...names.filter((name) => groups.every((group) => String(group) !== name))];
}

/** @returns the moments of the fields of a view with these groups */
function momentsOf(groups: readonly GroupName[]): Record<string, Moment> {
  return { ...DATES, ...(groups.includes('day') && { day: 'day' as const }) };
}

const isPart = (name: GroupName) => CALENDAR_GROUPINGS.some((one) => one === name);

/** Whoever picks one of these gets the field that is named by what it has. */
const standIns = (groups: readonly GroupName[], names: readonly string[] = ['group']) =>
  new Map(groups.flatMap((group) => names.map((name) => [name, [group]] as const)));

/** @param whole the words for a row of all groups */
const groupColumn = (name: GroupName, whole?: string): Column =>
  fieldColumn(name, { ...cuttable, text: (row) => textOf(row[name]) ?? whole });

interface SumsParts {
  /** The columns beside that of the group. */
  shown?: readonly Column[];
  /** The words for a row of all groups. */
  whole?: string;
  names?: readonly (typeof sums.mayHave)[number][];
  /** Further fields. */
  more?: readonly ('customer' | 'email' | 'share' | 'attempts')[];
}

/** @returns the view of sums in rows of their own: those of a group stand below each other */
function sumsBy(
  groups: readonly GroupName[],
  { shown = columns, whole, names = sums.mayHave, more = [] }: SumsParts = {},
): OwnView<ReportRow> {
  return ownView<ReportRow, Partial<Record<GroupName, string | null>>>({
    ...sums,
    mayHave: [...withGroups(groups, names), ...more],
    moments: momentsOf(groups),
    standIns: standIns(groups, names.includes('reason') ? ['group'] : ['group', 'reason']),
    columns: [...groups.map((name) => groupColumn(name, whole)), ...shown],
    computed: (row) => Object.fromEntries(groups.map((name) => [name, groupOf(row, name)])),
  });
}

function groupOf({ group, reason, period }: ReportRow, name: GroupName): string | null {
  return isPart(name) ? period : (group ?? reason);
}

/** @param part the part of the calendar by which they are divided; their declines are divided by reason */
export const sumsView = (part: CalendarGrouping | undefined, isCompared: boolean) =>
  sumsBy(part === undefined ? [] : [part], {
    shown: [...columns, ...(isCompared ? [tallyBefore, moneyBefore] : [])],
  });

/** @param by what the charges that are due are grouped by */
export const forecastView = (by: ForecastGrouping) => sumsBy([by]);

/** @param by what the refunds are grouped by */
export const refundsView = (by: RefundGrouping) =>
  groupedSums(by, { shown: [fieldColumn('what'), tally('count'), moneyColumn] });

/** @param by what the declines are grouped by */
export const declinesView = (by: 'reason' | 'card' | 'customer') =>
  groupedSums(by, {
    shown: [tally('count'), shareColumn, { ...moneyColumn, header: 'attempted' }],
    whole: 'total',
    more: ['share', 'attempts'],
  });

/** A person has a name, an id and an email. */
function groupedSums(
  by: RefundGrouping | 'card',
  { shown = [], more = [], ...parts }: SumsParts,
): OwnView<ReportRow> {
  // The name of a group stands for the reason.
  const names = sums.mayHave.filter((name) => name !== 'reason');
  if (by !== 'customer') return sumsBy([by], { ...parts, names, shown, more });
  return sumsBy(['who'], {
    ...parts,
    names,
    shown: [fieldColumn('email', cuttable), ...shown],
    more: ['customer', 'email', ...more],
  });
}

/** @returns a column for the number of these, empty if there were none */
function tallyOf(field: string): Column {
  const column = { ...tally(field), ...extra };
  return { ...column, text: (row) => (row[field] === 0 ? undefined : column.text(row)) };
}

/** @returns a column for the sum of what this field counts */
function sumOf(counted: string, field: string): Column {
  const column = sumColumn(field);
  return { ...column, text: (row) => (row[counted] === 0 ? undefined : column.text(row)) };
}

const BEFORE = [
  'before_purchased',
  'before_charged',
  'before_refunded',
  'before_declined',
] as const;

/** @param by a part of the calendar, a property, or both @returns the view of a row for each group and currency */
export function groupsView(
  by: readonly (CalendarGrouping | PropertyGrouping)[],
  isCompared: boolean,
): OwnView<GroupRow> {
  return ownView<GroupRow>({
    ...sums,
    // biome-ignore format: names that belong together stand in one line
    mayHave: [
      ...withGroups(by, [
        'currency', 'purchases', 'purchased', 'charges', 'charged', 'refunds', 'refunded', 'amount',
        'declines', 'declined', 'not_counted', 'from', 'until', 'time_zone', 'profile', 'operator',
      ]),
      ...(isCompared ? ['before_amount' as const, ...BEFORE] : []),
    ],
    sums: ['purchased', 'charged', 'refunded', 'declined', 'before_amount', ...BEFORE],
    amountName: 'net',
    moments: momentsOf(by),
    standIns: new Map<string, readonly string[]>([
      ...NET,
      ...standIns(by.filter((name) => !isPart(name))),
      ...standIns(by.filter(isPart), ['period']),
    ]),
    columns: [
      ...by.map((name) => groupColumn(name)),
      sumOf('purchases', 'purchased'),
      sumOf('charges', 'charged'),
      sumOf('refunds', 'refunded'),
      { ...moneyColumn, header: 'net' },
      ...(isCompared ? [moneyBefore] : []),
      sumOf('declines', 'declined'),
      ...['purchases', 'charges', 'refunds', 'declines', 'not_counted'].map(tallyOf),
    ],
  });
}
