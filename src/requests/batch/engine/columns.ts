/**
 * Maps the columns of a file to fields. Names match in any case, with spaces or hyphens for underscores. A nested field
 * may use its own name if no other field has it. `--map amount=Betrag` names a field's column. Columns that begin with
 * `gw_` belong to gw and are not read.
 *
 * Tests: test/unit/requests/batch/engine/rows.test.ts
 */
import { type Json, type JsonObject, setAt, valueAt } from '../../../base/json.ts';
import { quotedText, shellWord } from '../../../base/shell.ts';
import {
  isFragile,
  isMadeInSpreadsheet,
  isOnlyOfSpreadsheets,
} from '../../../base/spreadsheet-text.ts';
import { plural } from '../../../base/text.ts';
import { currencyExponent } from '../../../contract/currency.ts';
import { usage } from '../../../failure.ts';
import { cellAsItWas, withoutFormula } from '../../../view/formulas.ts';

export interface ColumnOptions {
  /** Names of the fields, dotted for nested ones. */
  fields: readonly string[];
  /** Columns to leave out. */
  ignored: readonly string[];
  /** The name of a field's column in the file, by field. */
  mapped: ReadonlyMap<string, string>;
  /**
   * The problem of an unknown column, as the rest of a sentence: `is not a field of refund create`. `many` is for
   * several columns.
   */
  isNot: { one: string; many: string };
  /** Whether the whole command that reads the columns as they seem to be meant is said elsewhere. */
  isCommandSaid?: boolean;
}

/** The fields that unknown columns seem to be. */
export interface Proposal {
  /** The name of a column by the field that it seems to have. */
  maps: ReadonlyMap<string, string>;
  /** The columns that seem to have none. */
  ignored: readonly string[];
}

/** The cells of columns prove it, whatever their names say. */
export interface Proof {
  /** The name of a column by the field that its cells have. */
  maps: ReadonlyMap<string, string>;
  /** Fields that no unknown column has. */
  none: readonly string[];
}

/** The first row of a table. */
export interface HeaderRow {
  /** The line in the text, from 1. */
  line: number;
  /** The cells as written, without the spaces around them. */
  cells: readonly string[];
  delimiter: string;
  /** The lines above it that are no rows, such as a title. */
  above?: readonly number[];
}

export interface TableRow {
  /** The cells, without spaces around them. */
  cells: readonly string[];
  /** No spreadsheet changed the reference, as gw's own column says. */
  isAsWritten?: boolean;
  /** The cell that the reference of gw's own column replaces, if a person may have written it. */
  replaced?: string | undefined;
}

/** The fields of an amount, which a file has in one of two ways. */
const AMOUNTS: readonly string[] = ['amount', 'decimal_amount'];

/** gw's own columns, such as the reason why a row did not succeed. */
const OWN = /^gw_/;

/** The column of the reference as gw wrote it, after words that keep a spreadsheet from reading it. */
export const WRITTEN_REFERENCE = 'gw_reference';
const IS_WRITTEN = /^reference( as written)?: (.+)$/s;

/**
 * @param isAsWritten no spreadsheet changed the reference, as the user said
 * @returns the cell of `WRITTEN_REFERENCE`; empty for any other reference that no spreadsheet changes
 */
export function writtenReference(reference: string, isAsWritten = false): string {
  if (isAsWritten && reference !== '') return `reference as written: ${reference}`;
  return isFragile(reference) ? `reference: ${reference}` : '';
}

export class FieldColumns {
  readonly #options: ColumnOptions;
  readonly #byName: ReadonlyMap<string, string>;
  readonly #mapped: ReadonlyMap<string, string>;
  readonly #ignored: ReadonlySet<string>;
  /** Names that an object may use unchanged. */
  readonly #asTheyAre: ReadonlySet<string>;
  #header: HeaderRow | undefined;
  #names: readonly (string | undefined)[] = [];
  /** The same, with unknown columns read as they seem to be meant. */
  #meant: readonly (string | undefined)[] = [];
  #proof: Proof = { maps: new Map(), none: [] };
  #width = 0;

  /** @throws Failure usage if a mapping names a field that does not exist */
  constructor(options: ColumnOptions) {
    this.#options = options;
    this.#byName = namesOf(options.fields);
    this.#mapped = this.#readMapped(options.mapped);
    this.#ignored = new Set(options.ignored.map(plainName));
    this.#asTheyAre = new Set(
      options.fields.filter(
        (name) => !name.includes('.') && !this.#mapped.has(name) && !this.#ignored.has(name),
      ),
    );
  }

  /** The header of a table, once it has been read. */
  get header(): HeaderRow | undefined {
    return this.#header;
  }

  /**
   * The field in each place of a row; undefined for a column that is left out or has no name. An unknown column is read
   * as its problem proposes, so that the problems of the rows are known in the same run.
   */
  get names(): readonly (string | undefined)[] {
    return this.#meant;
  }

  begin(header: HeaderRow): void {
    this.#header = header;
    this.#names = header.cells.map((cell) => this.#nameOf(cell));
    this.#width = header.cells.findLastIndex((cell) => cell !== '') + 1;
    this.#meant = this.#asMeant(header);
  }

  /** Reads unknown columns as their cells prove: rows have to be read again after it. */
  prove(proof: Proof): void {
    this.#proof = proof;
    if (this.#header) this.#meant = this.#asMeant(this.#header);
  }

  /** The fields that columns without a known name seem to be, by their cells and names. */
  get proposal(): Proposal {
    const { none, maps: proven } = this.#proof;
    const isFree = (field: string) => !this.#names.includes(field) && !none.includes(field);
    const columns = this.strange.filter((name) => ![...proven.values()].includes(name));
    const free = this.#options.fields.filter((field) => isFree(field) && !proven.has(field));
    const maps = new Map([...proven, ...proposedMaps(columns, free)]);
    return { maps, ignored: columns.filter((name) => ![...maps.values()].includes(name)) };
  }

  /** The currency that the name of a mapped column of amounts ends with, as `Refund AUD` does: ISO 4217. */
  get currency(): string | undefined {
    const place = this.#meant.findIndex((name) => name !== undefined && AMOUNTS.includes(name));
    const code = /(?:^|[\s_(-])([A-Z]{3})\)?$/.exec(this.#header?.cells[place] ?? '')?.[1];
    return code !== undefined && currencyExponent(code) !== undefined ? code : undefined;
  }

  /** @returns the place of a field in the rows, by the names of the columns and flags; -1 if it has none */
  placeOf(field: string): number {
    return this.#names.indexOf(field);
  }

  /** @returns the name of the column that gw reads as a field in another spelling; undefined if somebody named it so */
  guessed(field: string): string | undefined {
    const cell = this.#header?.cells[this.placeOf(field)];
    return cell === field || this.#options.mapped.has(field) ? undefined : cell;
  }

  /** The number of places up to the last one with a name: the first row may end in empty cells. */
  get width(): number {
    return this.#width;
  }

  /** @returns whether a column with this name is expected */
  knows(cell: string): boolean {
    const name = plainName(cell);
    return this.#mapped.has(name) || this.#ignored.has(name) || this.#byName.has(name);
  }

  /** @returns whether a column with this name is expected, or seems to have a field */
  means(cell: string): boolean {
    const isWord = (field: string) => WORDS[field]?.test(wordName(cell)) === true;
    return this.knows(cell) || this.#options.fields.some(isWord);
  }

  /** @returns the cells of a row, with the reference that gw wrote in place of what a spreadsheet made of it */
  restored(cells: readonly string[]): TableRow {
    const own = this.#header?.cells.indexOf(WRITTEN_REFERENCE) ?? -1;
    const place = this.#names.indexOf('reference');
    const cell = cells[place];
    const [, mark, before] = IS_WRITTEN.exec(cells[own] ?? '') ?? [];
    if (before === undefined || cell === undefined) return { cells };
    const now = cellAsItWas(cell);
    const isLost = isOnlyOfSpreadsheets(now);
    if (now !== before && !isLost && !isMadeInSpreadsheet(now, before)) return { cells };
    const replaced = now === before || isLost ? undefined : now;
    const restored = cells.with(place, withoutFormula(before));
    return { cells: restored, isAsWritten: mark !== undefined, replaced };
  }

  isNamed(place: number): boolean {
    return (this.#header?.cells[place] ?? '') !== '';
  }

  /** Whether the first row has values in the place of names. */
  get isNameless(): boolean {
    const { strange } = this;
    const known = this.#names.filter((name) => name !== undefined);
    const areStrange = known.length === strange.length && this.#options.mapped.size === 0;
    return areStrange && strange.some(looksLikeValue);
  }

  /** The problems of the first row, each as the rest of a sentence about it. */
  problems(): string[] {
    const { cells = [], delimiter = ',' } = this.#header ?? {};
    const { fields } = this.#options;
    const { strange } = this;
    const known = this.#names.filter((name) => name !== undefined);
    if (this.isNameless) {
      const names = shownNames(fields).join(delimiter === '\t' ? ', ' : delimiter);
      return [
        `the first row has no column names: add a row with names above it (${names}; not all are needed)`,
      ];
    }
    return [
      ...known
        .filter((name, i) => known.indexOf(name) !== i)
        .map((name) => this.#repeated(name, cells)),
      ...this.#absent(cells).map(
        (column) => `has no column ${quotedText(column)}, which --map names`,
      ),
      ...(strange.length > 0 ? [strangeColumns(strange, this.#options, this.proposal)] : []),
    ];
  }

  /**
   * @returns the fields of an object as it was written, under their names here; or the problem that one occurs twice
   */
  ofObject(written: JsonObject): { fields: JsonObject; problem?: string } {
    const names = Object.keys(written);
    if (names.every((name) => this.#asTheyAre.has(name))) return { fields: written };
    const fields: JsonObject = {};
    for (const name of names) {
      const field = this.fieldOf(name);
      if (field === undefined) continue;
      const path = this.#options.fields.includes(field) ? field.split('.') : [field];
      if (valueAt(fields, path) !== undefined)
        return { fields: {}, problem: `has ${quotedText(field)} twice` };
      setAt(fields, path, written[name] as Json);
    }
    return { fields };
  }

  /** @returns the field that a name in an object means, or the name itself; undefined if it is left out */
  fieldOf(name: string): string | undefined {
    if (this.#asTheyAre.has(name)) return name;
    const plain = plainName(name);
    const field = this.#mapped.get(plain);
    if (field !== undefined) return field;
    if (OWN.test(plain) || this.#ignored.has(plain)) return undefined;
    return this.#byName.get(plain) ?? name;
  }

  /** Whether rows can be read although the first row has problems: all of these are unknown columns among others. */
  get isReadable(): boolean {
    const known = this.#names.filter((name) => name !== undefined);
    const isOnce = new Set(known).size === known.length;
    const absent = this.#absent(this.#header?.cells ?? []);
    const isKnown = known.length > this.strange.length || this.#proof.maps.size > 0;
    return isOnce && absent.length === 0 && isKnown;
  }

  /** The columns whose names mean no field. */
  get strange(): string[] {
    const { cells = [] } = this.#header ?? {};
    return cells.filter((cell) => cell !== '' && !this.knows(cell) && !OWN.test(cell));
  }

  #asMeant({ cells }: HeaderRow): (string | undefined)[] {
    const { strange } = this;
    const proposed = new Map(
      [...this.proposal.maps].map(([field, column]) => [plainName(column), field] as const),
    );
    return this.#names.map((name, place) => {
      const cell = cells[place] ?? '';
      return proposed.get(plainName(cell)) ?? (strange.includes(cell) ? undefined : name);
    });
  }

  #nameOf(cell: string): string | undefined {
    const name = plainName(cell);
    const field = this.#mapped.get(name);
    if (field !== undefined) return field;
    if (cell === '' || OWN.test(name) || this.#ignored.has(name)) return undefined;
    return this.#byName.get(name) ?? cell.toLowerCase();
  }

  #readMapped(mapped: ColumnOptions['mapped']): Map<string, string> {
    const fields = new Map<string, string>();
    for (const [field, column] of mapped) {
      const plain = plainName(column);
      const other = fields.get(plain);
      if (other !== undefined)
        throw usage(
          'map-invalid',
          `--map reads the column ${quotedText(column)} as two fields, ${other} and ${field}.`,
          'Keep one of the two.',
        );
      fields.set(plain, this.#mappedTo(field));
    }
    return fields;
  }

  #mappedTo(field: string): string {
    const name = this.#byName.get(plainName(field));
    if (name !== undefined) return name;
    throw usage(
      'map-invalid',
      `--map names ${quotedText(field)}, which ${this.#options.isNot.one}.`,
      `The fields are ${shownNames(this.#options.fields).join(', ')}.`,
    );
  }

  /** @returns the problem of a field with several columns. A column that --map names is the one that is meant. */
  #repeated(field: string, header: readonly string[]): string {
    const cells = header.filter((_, place) => this.#names[place] === field);
    const what = `has ${cells.length} columns for ${field}, ${cells.map(quotedText).join(', ')}`;
    const spare = cells.findLast((cell) => !this.#mapped.has(plainName(cell)));
    const isAlone =
      spare !== undefined &&
      cells.filter((cell) => plainName(cell) === plainName(spare)).length === 1;
    return isAlone
      ? `${what}: --ignore-columns ${shellWord(spare)} leaves one out`
      : `${what}: remove or rename one`;
  }

  #absent(cells: readonly string[]): string[] {
    const there = new Set(cells.map(plainName));
    return [...this.#options.mapped.values()].filter((column) => !there.has(plainName(column)));
  }
}

/** Cells that say of a row that somebody decided against it, or that it is done. */
const AGAINST =
  /^(?:no|n|nein|non|nee|nie|false|rejected|refused|declined|denied|cancell?ed|done|sent|refunded|completed|pending|(?:on )?hold|skip|stop|abgelehnt|erledigt)$/i;

/**
 * @param columns whose proposal leaves out columns
 * @returns a cell of these that speaks against its row, such as a `no` under `Approved`; undefined if none does
 */
export function cellAgainst(
  columns: FieldColumns,
  rows: Iterable<Partial<TableRow> & { line: number }>,
): { line: number; cell: string; column: string } | undefined {
  const { cells: names = [] } = columns.header ?? {};
  const places = columns.proposal.ignored.map((name) => names.indexOf(name));
  if (places.length === 0) return undefined;
  for (const { line, cells = [] } of rows)
    for (const place of places) {
      const cell = cells[place] ?? '';
      if (AGAINST.test(cell)) return { line, cell, column: names[place] ?? '' };
    }
  return undefined;
}

const CARD_NUMBER = /^(?:card|credit_card|kartennummer)(?:_(?:no|number|nr))?$/;
/** The redactor hides what follows `cvv=`, so that no flag could be proposed for these. */
const CVV_NAMES = ['cvc', 'cvc2', 'cvv2', 'csc', 'security_code'];
const EXPIRY =
  /^(?:card_)?(?:exp|expiry|expires|expiration|valid_thru|valid_until|ablauf(?:datum)?|gultig_bis|scadenza|vervaldatum)(?:_date)?$/;

/**
 * Words that people have above a column, by the field that they mostly mean, in English, German, French, Spanish, Italian,
 * Dutch and Polish, without accents. They are only proposed.
 */
const WORDS: Readonly<Record<string, RegExp>> = {
  transaction_id:
    /^(?:order|payment|charge|purchase|transaction|txn|id|zahlung|paiement|pago|pagamento|betaling|platnosc)(?:_(?:id|no|number|nr))?$/,
  reference:
    /^(?:n[or]?_|numero_)?(?:ref|order|invoice|document|voucher|rechnung|rechnungsn(?:umme)?r|beleg|belegn(?:umme)?r|facture|factura|fattura|factuur|factuurn(?:umme)?r|faktur[ay]|bestellung|commande|pedido|ordine|referenz|referencia|riferimento|referentie|kenmerk)(?:_(?:id|no|number|nr))?$/,
  // People write money above and below it, whichever currency they add.
  decimal_amount:
    /^(?:amount|sum|total|value|betrag|erstattung|summe|montant|importe|importo|bedrag|kwota|belopp|monto|valor|refund|price)(?:_(?:amount|total|value|(?:in_)?\(?[a-z]{3}\)?))*$/,
  card_token: /^(?:card|token)$/,
  customer:
    /^(?:customer|client|kunde|cliente|klant|klient)(?:_?(?:id|no|number|nr|nummer|ref|reference))?$/,
  email: /^(?:e_?mail|mail)(?:_address)?$/,
  first_name: /^(?:given_name|forename|vorname|prenom|nombre|nome|voornaam|imie)$/,
  last_name: /^(?:surname|family_name|nachname|apellidos?|cognome|achternaam|nazwisko)$/,
  note: /^(?:reason|why|comment|memo|grund|motif|motivo|causale|reden|powod|raison|razon|bemerkung|commentaire|opmerking|uwagi)$/,
  'card.card_number': CARD_NUMBER,
  card_number: CARD_NUMBER,
  'card.expiry_date': EXPIRY,
  card_expiry: EXPIRY,
};

/** @returns the flag that reads a column as the field that its name seems to mean, for each that seems to mean one */
function proposedMaps(names: readonly string[], free: readonly string[]): Map<string, string> {
  const proposed = new Map<string, string>();
  const hasMinorUnits = !free.includes('amount');
  for (const name of names) {
    const field = Object.keys(WORDS).find(
      (one) =>
        free.includes(one) &&
        !proposed.has(one) &&
        !(one === 'decimal_amount' && hasMinorUnits) &&
        WORDS[one]?.test(wordName(name)),
    );
    if (field !== undefined) proposed.set(field, name);
  }
  return proposed;
}

/** @returns the name as `WORDS` has it: `N° Facture` is `n_facture` */
function wordName(name: string): string {
  return plainName(name.normalize('NFD').replaceAll(/[\p{M}.:°º]/gu, ''));
}

function strangeColumns(
  names: readonly string[],
  { isNot, fields, isCommandSaid }: ColumnOptions,
  { maps, ignored }: Proposal,
) {
  const quoted = names.map(quotedText).join(', ');
  const are = plural(
    names.length,
    `a column ${quoted}, which ${isNot.one}`,
    `the columns ${quoted}, which ${isNot.many}`,
  );
  const what = `has ${are} (the fields are ${shownNames(fields).join(', ')})`;
  const out = (some: readonly string[]) => `--ignore-columns ${shellWord(some.join(','))}`;
  if (maps.size > 0) {
    const read = [...maps].map(([field, name]) => `--map ${field}=${shellWord(name)}`);
    const flags = [...read, ...(ignored.length > 0 ? [out(ignored)] : [])].join(' ');
    return isCommandSaid ? what : `${what}; if it is meant so, add ${flags}`;
  }
  const [first = ''] = names;
  return `${what}; --map FIELD=${shellWord(first)} says which field it is, and ${out(names)} leaves ${plural(names.length, 'it', 'them')} out`;
}

/**
 * Fields by the plain name of their column. A nested field is also found by its last part, if no other field ends in
 * it.
 */
function namesOf(fields: readonly string[]): Map<string, string> {
  const shown = shownNames(fields);
  const codes = fields.filter((field) => /^(?:card\.)?cvv$/.test(field));
  return new Map([
    ...codes.flatMap((field) => CVV_NAMES.map((name) => [name, field] as const)),
    ...fields.map((field, i) => [shown[i] ?? field, field] as const),
    ...fields.map((field) => [field, field] as const),
  ]);
}

/** @returns the shortest name of the column of each field */
function shownNames(fields: readonly string[]): string[] {
  const leaves = fields.map((field) => field.split('.').at(-1) ?? field);
  return leaves.map((leaf, i) =>
    leaves.filter((other) => other === leaf).length === 1 ? leaf : (fields[i] ?? leaf),
  );
}

/** @returns the name as gw compares it: `Transaction ID` and `transaction-id` are `transaction_id`. */
export function plainName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '_');
}

/**
 * Whether a cell looks like a value, which no column is called. It begins with a digit or a sign, as ids, amounts and
 * dates do, or has four digits in a row.
 */
function looksLikeValue(cell: string): boolean {
  return /^[-+]?[\d.]/.test(cell) || /\d{4}/.test(cell);
}
