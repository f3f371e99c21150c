/**
 * Finds out what the columns of a table are, by their names and by all of their cells. The flags of the user come first.
 * In a table of the merchant's own, each name is a field. In that of a bank, a processor or a shop:
 *
 *   id, reference       by the form of the cells, or by name
 *   date, value_date    columns of days
 *   debit, credit       a pair by name
 *   decimal_amount      one column by name; otherwise the only one with numbers
 *   amount              minor units: gw's own name, and nothing but digits
 *   texts               columns of words, in which a reference may stand
 *
 * A column of money is never left out silently. If two columns may be the amount, that is a question.
 *
 * Tests: test/unit/commands/reconcile/read-table.test.ts
 */
import type { FieldColumns } from '../../requests/batch/engine/columns.ts';
import { plainName } from '../../requests/batch/engine/columns.ts';
import type { TableLine } from '../../requests/batch/engine/rows.ts';
import { plainWords } from './bank-words.ts';
import { isRefundWord } from './book-row.ts';
import type { ColumnProfile } from './column-profile.ts';

/** A flag with its value, such as `map` and `amount=Betrag`. */
export type GivenFlag = readonly [flag: string, value: string];

/** A question about the file whose answer is a flag. */
export interface OpenQuestion {
  /** A sentence without its full stop. */
  what: string;
  choices: readonly Choice[];
}

/** One way to read a file. */
export interface Choice {
  label: string;
  flag: GivenFlag;
  /** The columns whose numbers, without their signs, add up to the amount; undefined if the question is not about amounts. */
  amount?: { columns: readonly ColumnProfile[]; isMinor: boolean };
}

export interface ColumnRoles {
  /** The column of each field. */
  fields: ReadonlyMap<string, ColumnProfile>;
  texts: readonly ColumnProfile[];
  /** Columns that are not compared, and what they have: `a balance`. */
  aside: readonly { column: ColumnProfile; why: string }[];
  question: OpenQuestion | undefined;
  /** Whether a row of the type `credit` is a refund, as beside sales. */
  creditsAreRefunds: boolean;
}

export interface RolesOf {
  profiles: readonly ColumnProfile[];
  rows: readonly TableLine[];
  /** Know the flags of the user. */
  columns: FieldColumns;
  /** The column that the user gave a field, by field. */
  mapped: ReadonlyMap<string, string>;
  /** Whether the table is the merchant's own. */
  isOwn: boolean;
  /** Whether no currency of the table has decimals. */
  isWhole: boolean;
  /** The names of columns that look like references, and of which this ledger knows no cell. */
  unknown?: readonly string[] | undefined;
}

/** The fields with an amount. */
export const AMOUNTS = ['amount', 'decimal_amount', 'debit', 'credit'] as const;
const SIDES = ['debit', 'credit'] as const;
/** The fields with an id of a record. */
export const IDS = ['id', 'transaction_id', 'purchase', 'refund', 'subscription'] as const;
/** A column that says of each row whether it is a payment or a refund. That of a state says of a payment that it was refunded. */
const TYPE = /\b(?:type|typ|tipo|kind|event)\b/;
const isSaleWord = (cell: string) => /^sale$/i.test(cell);
const WHY: Readonly<Record<string, string>> = {
  balance: 'a balance',
  fee: 'a fee',
  net: 'what is left after fees',
  part: 'a part of an amount',
  refunded: 'what was refunded',
};

export function rolesOf(table: RolesOf): ColumnRoles {
  return new RoleFinder(table).find();
}

class RoleFinder {
  readonly #table: RolesOf;
  readonly #free: Set<ColumnProfile>;
  readonly #fields = new Map<string, ColumnProfile>();
  readonly #aside: { column: ColumnProfile; why: string }[] = [];
  #question: OpenQuestion | undefined;
  #creditsAreRefunds = false;

  constructor(table: RolesOf) {
    this.#table = table;
    this.#free = new Set(table.profiles.filter(({ name }) => name !== ''));
  }

  find(): ColumnRoles {
    this.#takeGiven();
    if (this.#table.isOwn) this.#takeOwn();
    else this.#takeForeign();
    const id = this.#fields.get('id');
    // A row without an id may be named by its words.
    const isFull = id && this.#table.rows.every(({ cells }) => cells[id.place]);
    const texts = isFull || this.#table.isOwn ? [] : [...this.#free];
    for (const column of texts) this.#free.delete(column);
    for (const column of this.#free) this.#aside.push({ column, why: '' });
    return {
      ...{ fields: this.#fields, texts, aside: this.#aside, question: this.#question },
      creditsAreRefunds: this.#creditsAreRefunds,
    };
  }

  #take(field: string, column: ColumnProfile | undefined): boolean {
    if (!column || this.#fields.has(field)) return false;
    this.#fields.set(field, column);
    return this.#free.delete(column);
  }

  #leave(column: ColumnProfile, why: string): void {
    if (this.#free.delete(column)) this.#aside.push({ column, why });
  }

  /** @returns the free columns that are so, with cells */
  #all(isSo: (column: ColumnProfile) => boolean): ColumnProfile[] {
    return [...this.#free].filter((column) => !column.isBlank && isSo(column));
  }

  /** @returns the free column that is called like the field */
  #called(field: string): ColumnProfile | undefined {
    return [...this.#free].find(({ name }) => plainName(name) === field);
  }

  #takeGiven(): void {
    const { columns, mapped } = this.#table;
    for (const column of [...this.#free]) {
      const isIgnored = columns.fieldOf(column.name) === undefined;
      const [field] =
        [...mapped].find(([, name]) => plainName(name) === plainName(column.name)) ?? [];
      if (isIgnored) this.#free.delete(column);
      else if (field !== undefined) this.#take(field, column);
    }
  }

  #takeOwn(): void {
    for (const column of [...this.#free]) {
      const field = this.#table.columns.fieldOf(column.name);
      if (field !== 'amount') this.#take(field ?? '', column);
    }
    const amount = this.#called('amount');
    // A number with decimals in every cell is no number of minor units.
    const isDecimal = amount?.areDecimals && amount.is('fraction');
    if (!isDecimal || !this.#take('decimal_amount', amount)) this.#take('amount', amount);
  }

  #takeForeign(): void {
    this.#takeNames();
    this.#takeDays();
    const currencies = this.#all((column) => column.is('currency'));
    this.#take(
      'currency',
      this.#called('currency') ??
        currencies.find(({ role }) => role === 'currency') ??
        currencies[0],
    );
    this.#takeOutcome();
    const types = this.#all((column) => TYPE.test(plainWords(column.name)) && !column.is('mark'));
    const sales = types.find((column) => this.#hasCell(column, isSaleWord));
    this.#take('type', types.find((column) => this.#hasCell(column, isRefundWord)) ?? sales);
    this.#creditsAreRefunds = sales !== undefined && sales === this.#fields.get('type');
    const isGiven = AMOUNTS.some((field) => this.#fields.has(field));
    this.#takeAmounts(isGiven);
    this.#take(
      'amount_refunded',
      this.#all(({ role, areDecimals }) => role === 'refunded' && areDecimals)[0],
    );
    this.#takeMark();
    this.#leaveNumbers(isGiven);
    for (const column of [...this.#free]) if (column.isBlank) this.#leave(column, 'blank');
  }

  #hasCell({ place }: ColumnProfile, isSo: (cell: string) => boolean): boolean {
    return this.#table.rows.some(({ cells }) => isSo(cells[place] ?? ''));
  }

  /** gw's own files have these names, and cells of these kinds. */
  #takeOutcome(): void {
    for (const field of ['successful', 'authorized', 'is_active']) {
      const column = this.#called(field);
      if (column?.is('flag')) this.#take(field, column);
    }
    const states = ['state', 'outcome'].flatMap((name) => this.#called(name) ?? []);
    this.#take(
      'state',
      states.find((column) => column.is('outcome')),
    );
    if (this.#isNamed) this.#take('message', this.#called('message'));
  }

  #takeNames(): void {
    const ids = this.#all((column) => column.is('id'));
    if (!this.#isNamed) {
      const named = IDS.map((field) => this.#called(field)).find((one) => one && ids.includes(one));
      this.#take('id', named ?? ids[0]);
    }
    const { unknown = [] } = this.#table;
    for (const column of this.#all(({ name }) => unknown.includes(name)))
      this.#leave(column, 'this ledger knows none of its cells as a reference');
    const references = this.#all(({ role, areDays }) => role === 'reference' && !areDays);
    this.#take('reference', this.#called('reference') ?? references[0]);
  }

  get #isNamed(): boolean {
    return IDS.some((field) => this.#fields.has(field));
  }

  #takeDays(): void {
    const days = this.#all(({ areDays }) => areDays);
    const isOfValue = ({ role }: ColumnProfile) => role === 'value_date' || role === 'currency';
    this.#take(
      'date',
      days.find((column) => column.role === 'date') ?? days.find((column) => !isOfValue(column)),
    );
    this.#take('value_date', days.find(isOfValue));
    for (const column of days) this.#leave(column, 'days');
  }

  #takeAmounts(isGiven: boolean): void {
    const numbers = [...this.#free].filter(({ areNumbers }) => areNumbers);
    if (this.#takePair(numbers, isGiven) || isGiven) return;
    const [debit, credit] = SIDES.map((side) => numbers.find(({ role }) => role === side));
    const given = numbers.filter(({ isBlank }) => !isBlank);
    const worth = given.filter((column) => !this.#isZero(column));
    const filled = worth.length > 0 ? worth : given;
    if (
      this.#take(
        'decimal_amount',
        filled.find(({ name }) => plainName(name) === 'decimal_amount'),
      )
    ) {
      const minor = this.#called('amount');
      if (minor?.is('whole')) this.#take('amount', minor);
      return;
    }
    const isAmount = ({ role }: ColumnProfile) => role === 'amount' || role === 'mark';
    const named = filled.filter(isAmount).sort((a, b) => lengthOf(a) - lengthOf(b));
    const [amount] = named;
    if (amount) this.#takeOneOf(this.#withoutNets(named));
    else if (debit && !debit.isBlank) this.#take('debit', debit);
    else if (credit && !credit.isBlank) this.#take('credit', credit);
    else if (filled.some(({ role }) => role === undefined))
      this.#takeUnnamed(filled.filter(({ role }) => role === undefined));
    else this.#takeOneOf(filled.filter(({ role }) => role === 'refunded'));
  }

  /** Shops list discounts and tips of every sale, also where there were none. */
  #isZero(column: ColumnProfile): boolean {
    return this.#holds((read) => read(column) === 0);
  }

  /** @returns whether both columns of a pair are taken for the amounts. One that was given brings the other one. */
  #takePair(numbers: readonly ColumnProfile[], isGiven: boolean): boolean {
    const [debit, credit] = SIDES.map((side) => numbers.find(({ role }) => role === side));
    if (isGiven) {
      if (this.#fields.has('debit')) this.#take('credit', credit);
      else if (this.#fields.has('credit')) this.#take('debit', debit);
      return false;
    }
    if (!debit || !credit || (debit.isBlank && credit.isBlank)) return false;
    return this.#take('debit', debit) && this.#take('credit', credit);
  }

  /** @returns the columns, without those that are the same as the first one or that and the fee */
  #withoutNets(named: readonly ColumnProfile[]): ColumnProfile[] {
    const [first, ...others] = named;
    const fees = this.#all(({ role, areNumbers }) => role === 'fee' && areNumbers);
    if (!first) return [];
    const isExplained = (other: ColumnProfile) =>
      this.#holds((read) => isSame(read(other), read(first))) ||
      fees.some((fee) =>
        [-1, 1].some((sign) =>
          this.#holds((read) => isSame(read(other), read(first) + sign * read(fee))),
        ),
      );
    const explained = others.filter(isExplained);
    for (const column of explained) this.#leave(column, 'the amount again, or after fees');
    return named.filter((column) => !explained.includes(column));
  }

  /** @param columns that may have the amounts */
  #takeOneOf(columns: readonly ColumnProfile[]): void {
    const [first, second] = columns;
    if (!first) return;
    if (second) this.#question ??= whichAmount(columns);
    else if (this.#isMinor(first)) this.#take('amount', first);
    else this.#take('decimal_amount', first);
  }

  /** Nothing but digits may be minor units, where no other column tells. */
  #isMinor(column: ColumnProfile): boolean {
    if (!column.is('whole')) return false;
    if (column.name === 'amount' || this.#table.isWhole) return true;
    const hasDecimals = this.#table.profiles.some(({ areDecimals }) => areDecimals);
    if (!hasDecimals) this.#question ??= minorOrNot(column);
    return false;
  }

  /** One of two columns without a known name may be the balance. */
  #takeUnnamed(numbers: readonly ColumnProfile[]): void {
    const decimals = numbers.filter(({ areDecimals }) => areDecimals);
    const candidates = decimals.length > 0 ? decimals : numbers;
    const [first, second, ...more] = candidates;
    const isTwo = first && second && more.length === 0;
    const balances = isTwo
      ? [first, second].filter((one) => this.#isBalance(one, one === first ? second : first))
      : [];
    const [balance] = balances.length === 1 ? balances : [];
    if (balance) this.#leave(balance, 'a balance');
    this.#takeOneOf(candidates.filter((column) => column !== balance));
  }

  /** @returns whether one column is the sum of the other so far, from the first line or from the last */
  #isBalance(balance: ColumnProfile, amount: ColumnProfile): boolean {
    const { rows } = this.#table;
    const [sums, amounts] = [balance, amount].map((column) =>
      rows.map(({ cells }) => numberIn(column, cells)),
    );
    const follows = (from: number, to: number, by: number) =>
      isSame((sums?.[to] ?? 0) - (sums?.[from] ?? 0), amounts?.[by] ?? 0);
    const places = rows.map((_, place) => place).slice(1);
    return (
      places.length > 0 &&
      (places.every((to) => follows(to - 1, to, to)) ||
        places.every((to) => follows(to, to - 1, to - 1)))
    );
  }

  #holds(isSo: (read: (column: ColumnProfile) => number) => boolean): boolean {
    return this.#table.rows.every(({ cells }) => isSo((column) => numberIn(column, cells)));
  }

  /** A sign, or a column for each side, says more than a mark. */
  #takeMark(): void {
    const amount = this.#fields.get('decimal_amount') ?? this.#fields.get('amount');
    if (!amount || amount.numbers.hasSign) return;
    const marks = this.#all((column) => column.is('mark'));
    const isOfSide = ({ name }: ColumnProfile) =>
      /^(?:transaction )?(?:type|direction|details)$/.test(plainWords(name));
    this.#take(
      'mark',
      this.#called('mark') ?? marks.find(({ role }) => role === 'mark') ?? marks.find(isOfSide),
    );
  }

  /** @returns whether the column has what one of the two sides has, with or without a sign */
  #isPair(column: ColumnProfile, [debit, credit]: readonly ColumnProfile[]): boolean {
    if (!debit || !credit) return false;
    return this.#holds((read) =>
      isSame(Math.abs(read(column)), Math.abs(read(debit)) + Math.abs(read(credit))),
    );
  }

  #isAgain(column: ColumnProfile, amounts: readonly ColumnProfile[]): boolean {
    return amounts.some((amount) => this.#holds((read) => isSame(read(column), read(amount))));
  }

  #columnsOf(fields: readonly string[]): ColumnProfile[] {
    return fields.flatMap((field) => this.#fields.get(field) ?? []);
  }

  /** Money without a role is a question, unless other columns explain it. */
  #leaveNumbers(isGiven: boolean): void {
    const amounts = this.#columnsOf(['decimal_amount', 'amount']);
    const pair = this.#columnsOf(['debit', 'credit']);
    for (const column of this.#all(({ areNumbers }) => areNumbers)) {
      const why =
        WHY[column.role ?? ''] ??
        (this.#isZero(column) ? 'only zeros' : undefined) ??
        (this.#isPair(column, pair) || this.#isAgain(column, amounts)
          ? 'the amount again'
          : undefined) ??
        (amounts.some((amount) => this.#isBalance(column, amount)) ? 'a balance' : undefined);
      if (column.areDecimals && why === undefined && !isGiven)
        this.#question ??= whichAmount([...amounts, column], pair);
      this.#leave(column, why ?? 'numbers');
    }
  }
}

const lengthOf = ({ name }: ColumnProfile) => plainWords(name).split(' ').length;

/** @returns the number of a cell, 0 for a blank one; NaN if it cannot be read */
export function numberIn({ numbers, place }: ColumnProfile, cells: readonly string[]): number {
  const cell = cells[place] ?? '';
  return cell === '' ? 0 : Number(numbers.read(cell)?.decimal ?? Number.NaN);
}

/** Sums of decimals have errors far below any unit of money. */
export const isSame = (one: number, other: number) => Math.abs(one - other) < 0.000_01;

/** @param field of amounts */
const mapped = (
  label: string,
  field: string,
  columns: readonly [ColumnProfile, ...ColumnProfile[]],
): Choice => ({
  label,
  flag: ['map', `${field}=${columns[0].name}`],
  amount: { columns, isMinor: field === 'amount' },
});

/** @param pair the columns of debits and credits, if those have the amounts otherwise */
function whichAmount(
  columns: readonly ColumnProfile[],
  pair: readonly ColumnProfile[] = [],
): OpenQuestion {
  const names = [...pair, ...columns].map(({ name }) => JSON.stringify(name));
  const [debit, ...credits] = pair;
  const both = pair.map(({ name }) => name).join(' and ');
  return {
    what: `${names.join(' and ')} may be the amount`,
    choices: [
      ...(debit ? [mapped(`${both} are the amounts`, 'debit', [debit, ...credits])] : []),
      ...columns.map((column) =>
        mapped(`${column.name} is the amount`, 'decimal_amount', [column]),
      ),
    ],
  };
}

function minorOrNot(column: ColumnProfile): OpenQuestion {
  return {
    what: `${JSON.stringify(column.name)} has only whole numbers, which may be minor units`,
    choices: [
      mapped('Minor units, such as cents', 'amount', [column]),
      mapped('Whole units of the currency', 'decimal_amount', [column]),
    ],
  };
}

/** @returns whether the columns can name records: by an id, a reference, words, or a day and an amount */
export function canName({ fields, texts }: ColumnRoles): boolean {
  const hasName = [...IDS, 'reference'].some((field) => fields.has(field));
  const hasAmount = AMOUNTS.some((field) => fields.has(field));
  const hasDay = fields.has('date') || fields.has('value_date');
  return hasName || (hasAmount && (texts.length > 0 || hasDay));
}
