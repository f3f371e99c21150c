/**
 * Reads a workbook of Excel (.xlsx) as the CSV that its spreadsheet would save, so that whatever is known of CSV goes on:
 * row 7 of the sheet is line 7 of the text.
 *
 * gw refuses hidden rows, a second sheet, and a formula without a result: a person who looked at the sheet did not see
 * what would be sent.
 *
 * Source: ECMA-376-1, 18.2 (workbook), 18.3 (sheets), 18.4 (shared texts), 18.8 (styles), and ECMA-376-2 (the package).
 *
 * Tests: test/unit/requests/batch/workbook.test.ts, test/system/workbook-input.test.ts
 */
import { stringify } from 'csv-stringify/sync';
import { type Unzipped, unzipSync } from 'fflate';
import { getFormatFromId } from 'numfmt';
import { shellWord } from '../../../base/shell.ts';
import { childAt, childrenOf, type Element, elementsOf, textAt } from '../../../base/xml.ts';
import { type Failure, usage } from '../../../failure.ts';
import { numberText } from './cell-text.ts';

/** The most bytes of a part when it is unpacked. */
const MAX_PART_BYTES = 256 * 1024 * 1024;
/** Excel has no larger sheet. */
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
/** The most cells and rows that a message names. */
const MAX_NAMED = 5;

const AS_CSV = 'save the sheet as “CSV UTF-8”, and give that file';

const WORKBOOK = 'xl/workbook.xml';
const RELATIONS = 'xl/_rels/workbook.xml.rels';
const STYLES = 'xl/styles.xml';
const SHARED_TEXTS = 'xl/sharedStrings.xml';

interface Sheet {
  name: string;
  /** The texts of cells, by row and column from 0; rows and cells without any are holes. */
  rows: string[][];
  /** Numbers of rows that are hidden, from 1. */
  hidden: number[];
  /** Places of formulas without a result, such as `C5`. */
  unknown: string[];
}

/** The parts of a workbook that all sheets share. */
interface Shared {
  texts: readonly string[];
  /** The code of the format, by the number of the style. */
  formats: readonly string[];
  is1904: boolean;
}

/**
 * @param name of the file, for messages
 * @returns CSV with commas, in which every row of the sheet is one line; empty for a workbook without any text
 * @throws Failure usage if the bytes are no such workbook, or if it holds what its screen does not show
 */
export function workbookText(bytes: Uint8Array, name: string): string {
  const sheets = readSheets(bytes, name).filter(
    ({ rows, unknown }) => rows.length + unknown.length > 0,
  );
  const [sheet, ...others] = sheets;
  if (others.length > 0) {
    const names = sheets.map((one) => `“${one.name}”`).join(', ');
    throw refusal(`${name} has several sheets: ${names}.`, `Keep one sheet in it, or ${AS_CSV}.`);
  }
  if (!sheet) return '';
  const { rows, hidden, unknown } = sheet;
  if (hidden.length > 0)
    throw refusal(
      `${name} has hidden rows: ${firstOf(hidden)}.`,
      'Show all rows, or delete these, and save it.',
    );
  if (unknown.length > 0)
    throw refusal(
      `${name} has formulas whose results were not saved: ${firstOf(unknown)}.`,
      'Open it in a spreadsheet, and save it there.',
    );
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  return stringify(Array.from(rows, (row) => Array.from({ length: width }, (_, n) => row?.[n])));
}

function firstOf(places: readonly (string | number)[]): string {
  const more = places.length - MAX_NAMED;
  return [...places.slice(0, MAX_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function refusal(what: string, next: string): Failure {
  return usage('workbook-refused', what, next, { sent: false });
}

/** @returns the sheets that are not hidden, in their order. @throws Failure usage if they cannot be read */
function readSheets(bytes: Uint8Array, name: string): Sheet[] {
  let fault: string | undefined;
  try {
    const parts = partsOf(bytes);
    if (parts[WORKBOOK]) return sheetsIn(parts);
  } catch (error) {
    // Both libraries throw plain errors for what they cannot read.
    if (!(error instanceof Error) || error.constructor !== Error) throw error;
    fault = error.message.split('\n', 1)[0];
  }
  const why = fault === undefined ? '' : ` (${fault})`;
  throw refusal(
    `${name} is a packed file, and cannot be read as a workbook of Excel${why}.`,
    /\.ods$/i.test(name)
      ? `\`soffice --headless --convert-to xlsx ${shellWord(name)}\` writes it as .xlsx. Give that file.`
      : `Save it as .xlsx, or ${AS_CSV}.`,
  );
}

function partsOf(bytes: Uint8Array): Unzipped {
  return unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (!/^xl\/.*\.(?:xml|rels)$/.test(name)) return false;
      if (originalSize > MAX_PART_BYTES) throw new Error(`${name} is too large`);
      return true;
    },
  });
}

function sheetsIn(parts: Unzipped): Sheet[] {
  const [properties] = elementsIn(parts, WORKBOOK, 'workbookPr');
  const shared: Shared = {
    texts: [...elementsIn(parts, SHARED_TEXTS, 'si')].map(plainText),
    formats: formatsIn(parts),
    is1904: isTrue(properties?.attributes.date1904),
  };
  const relations = [...elementsIn(parts, RELATIONS, 'Relationship')];
  return [...elementsIn(parts, WORKBOOK, 'sheet')].flatMap(({ attributes }) => {
    const { name = '', id, state = '' } = attributes;
    const relation = relations.find((one) => one.attributes.Id === id);
    const target = relation?.attributes.Target ?? '';
    const part = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
    return part in parts && !/hidden/i.test(state) ? [sheetIn(parts, part, name, shared)] : [];
  });
}

function sheetIn(parts: Unzipped, part: string, name: string, shared: Shared): Sheet {
  const sheet: Sheet = { name, rows: [], hidden: [], unknown: [] };
  let last = 0;
  for (const row of elementsIn(parts, part, 'row')) {
    const { r: number, hidden } = row.attributes;
    last = Number(number ?? last + 1);
    if (!(last <= MAX_ROWS)) throw new Error(`it has a row ${number}`);
    const texts = textsOf(row, shared);
    sheet.unknown.push(...childrenOf(row, 'c').filter(isUnknown).map(placeOf));
    if (texts.length === 0) continue;
    sheet.rows[last - 1] = texts;
    if (isTrue(hidden)) sheet.hidden.push(last);
  }
  return sheet;
}

/** @returns the texts of cells by their columns, with holes; empty if all are blank */
function textsOf(row: Element, shared: Shared): string[] {
  const texts: string[] = [];
  let last = -1;
  for (const cell of childrenOf(row, 'c')) {
    last = cell.attributes.r === undefined ? last + 1 : columnOf(cell.attributes.r);
    if (!(last < MAX_COLUMNS)) throw new Error(`it has a cell ${placeOf(cell)}`);
    const text = cellText(cell, shared);
    if (text !== '') texts[last] = text;
  }
  return texts;
}

/** @returns whether it is a formula whose result was not saved */
function isUnknown(cell: Element): boolean {
  return childAt(cell, 'f') !== undefined && childAt(cell, 'v') === undefined;
}

function placeOf({ attributes: { r: place = 'a cell' } }: Element): string {
  return place;
}

/** @returns a cell as its spreadsheet shows it; line breaks become spaces, so that a row stays one line */
function cellText(cell: Element, { texts, formats, is1904 }: Shared): string {
  const { t: type = 'n', s: style = '0' } = cell.attributes;
  const written = type === 'inlineStr' ? '' : textAt(cell, 'v');
  if (type === 's') return texts[Number(written)] ?? '';
  if (type === 'b') return isTrue(written) ? 'TRUE' : 'FALSE';
  if (type === 'n' && written !== '')
    return numberText(Number(written), formats[Number(style)] ?? 'General', is1904);
  const inline = childAt(cell, 'is');
  return inline ? plainText(inline) : unescaped(written);
}

/** @returns the text of a cell without its fonts, and without how it is pronounced, which Japanese cells say too */
function plainText(element: Element): string {
  const texts = (parent: Element): string[] =>
    parent.children.flatMap((child) => {
      if (child.name === 'rPh') return [];
      return child.name === 't' ? [child.text] : texts(child);
    });
  return unescaped(texts(element).join(''));
}

/** A character that XML does not take is written `_x000D_`. */
function unescaped(text: string): string {
  const characters = text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const lines = characters.split(/[\r\n]+/);
  return lines.length === 1 ? characters : lines.map((line) => line.trim()).join(' ');
}

/** @returns the codes of formats by the numbers of styles */
function formatsIn(parts: Unzipped): string[] {
  const own = new Map(
    [...elementsIn(parts, STYLES, 'numFmt')].map(({ attributes }) => [
      Number(attributes.numFmtId),
      attributes.formatCode,
    ]),
  );
  const [styles] = elementsIn(parts, STYLES, 'cellXfs');
  return (styles?.children ?? []).map(({ attributes }) => {
    const id = Number(attributes.numFmtId ?? 0);
    return own.get(id) ?? getFormatFromId(id);
  });
}

function elementsIn(parts: Unzipped, part: string, name: string): Iterable<Element> {
  return elementsOf(new TextDecoder().decode(parts[part]), name);
}

/** @param place such as `AB12` @returns the number of its column, from 0 */
function columnOf(place: string): number {
  const [letters = ''] = /^[A-Z]*/.exec(place.toUpperCase()) ?? [];
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function isTrue(text: string | undefined): boolean {
  return text === '1' || text === 'true';
}
