/** Spreadsheet programs that open a file and save it, as a person does who corrects a cell. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { havePrograms } from './skip.ts';
import { temporaryDirectory } from './temporary.ts';

/** Comma, quotes, UTF-8, from the first line on; the language, and whether dates and times are recognised. */
const CSV = 'Text - txt - csv (StarCalc):44,34,76,1';
const [US, GERMAN] = ['1033', '1031'];

let profile: string | undefined;

function run(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 120_000 });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
}

/** @param reading options of the import, or nothing for those of a double click @returns the path of the new file */
function libreOffice(file: string, to: string, reading: string[] = []): string {
  // Only one instance may use a profile, and the user's own is left alone.
  profile ??= temporaryDirectory();
  const out = path.join(path.dirname(file), 'saved');
  mkdirSync(out, { recursive: true });
  const options = [`-env:UserInstallation=file://${profile}`, '--headless', ...reading];
  run('soffice', [
    ...options,
    '--convert-to',
    to === 'csv' ? `csv:${CSV}` : to,
    '--outdir',
    out,
    file,
  ]);
  return path.join(out, `${path.basename(file, path.extname(file))}.${to}`);
}

/** Opens and saves a CSV file in place. */
type Save = (file: string) => void;

const inLibreOffice =
  (by: readonly string[], ...reading: string[]): Save =>
  (file) => {
    const [first = 'csv', ...rest] = [...by, 'csv'];
    const begun = libreOffice(file, first, reading);
    renameSync(
      rest.reduce((saved, to) => libreOffice(saved, to), begun),
      file,
    );
  };

const inGnumeric =
  (...by: string[]): Save =>
  (file) => {
    const saved = [file, ...by.map((to) => `${file}.${to}`), `${file}.saved.csv`];
    for (const [i, from] of saved.slice(0, -1).entries())
      run('ssconvert', [from, saved[i + 1] ?? '']);
    renameSync(saved.at(-1) ?? '', file);
  };

const LIBRE_OFFICE: [string, Save][] = [
  ['LibreOffice', inLibreOffice([])],
  ['LibreOffice, as a workbook of Excel', inLibreOffice(['xlsx'])],
  ['LibreOffice, as a workbook of its own', inLibreOffice(['ods'])],
  ['LibreOffice with dates', inLibreOffice([], `--infilter=CSV:44,34,76,1,,${US},false,true`)],
  ['LibreOffice in German', inLibreOffice([], `--infilter=CSV:44,34,76,1,,${GERMAN},false,true`)],
];
const GNUMERIC: [string, Save][] = [
  ['gnumeric', inGnumeric()],
  ['gnumeric, as a workbook of Excel', inGnumeric('xlsx')],
];

/** The ways of saving that this machine has. */
export const SPREADSHEETS: readonly [name: string, save: Save][] = [
  ...(havePrograms('soffice') ? LIBRE_OFFICE : []),
  ...(havePrograms('ssconvert') ? GNUMERIC : []),
];

/** A cell as a spreadsheet has it in memory: its type, and its text, or the value of a number, day or time. */
export interface SpreadsheetCell {
  type: 'text' | 'number' | 'day' | 'time';
  value: string;
}

const TYPES = { string: 'text', float: 'number', date: 'day', time: 'time' } as const;
const VALUE = /office:(?:value|date-value|time-value)="([^"]*)"/;
const ENTITIES = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' } as const;

/** @returns the rows of the sheet that have a value, as LibreOffice reads the file; empty cells are undefined */
function readByLibreOffice(file: string): (SpreadsheetCell | undefined)[][] {
  const dated = `--infilter=CSV:44,34,76,1,,${US},false,true`;
  const xml = readFileSync(libreOffice(file, 'fods', file.endsWith('.csv') ? [dated] : []), 'utf8');
  const rows = [...xml.matchAll(/<table:table-row\b.*?<\/table:table-row>/gs)].map(([row]) =>
    [...row.matchAll(/<table:table-cell\b([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs)].flatMap(
      ([, attributes = '', inner = '']) => {
        const times = Number(/number-columns-repeated="(\d+)"/.exec(attributes)?.[1] ?? 1);
        const type = /office:value-type="(\w+)"/.exec(attributes)?.[1] as keyof typeof TYPES;
        const shown = [...inner.matchAll(/<text:p>(.*?)<\/text:p>/gs)].map(([, text]) => text);
        const value = VALUE.exec(attributes)?.[1] ?? shown.join('\n');
        const cell = type && { type: TYPES[type], value: plain(value) };
        return times < 99 ? Array.from({ length: times }, () => cell) : [];
      },
    ),
  );
  return rows.filter((row) => row.some((cell) => cell !== undefined));
}

function plain(xml: string): string {
  return xml
    .replace(/<text:s\/>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(\w+);/g, (_, name: keyof typeof ENTITIES) => ENTITIES[name]);
}

/** Gnumeric keeps the types of its cells in a workbook, where LibreOffice, which knows them all, finds them. */
function readByGnumeric(file: string): (SpreadsheetCell | undefined)[][] {
  const workbook = path.join(path.dirname(file), `${path.basename(file)}.of-gnumeric.xlsx`);
  run('ssconvert', [file, workbook]);
  return readByLibreOffice(workbook);
}

/** The programs of this machine that tell what they take the cells of a file for. */
export const READERS: readonly [name: string, read: typeof readByLibreOffice][] = [
  ...(havePrograms('soffice') ? [['LibreOffice', readByLibreOffice] as const] : []),
  ...(havePrograms('soffice', 'ssconvert') ? [['gnumeric', readByGnumeric] as const] : []),
].map(([name, read]) => [name, read]);

/** The programs of this machine that save a CSV file as a workbook of Excel, and return its path. */
export const WORKBOOKS: readonly [name: string, save: (file: string) => string][] = [
  ...(havePrograms('soffice')
    ? [['LibreOffice', (file: string) => libreOffice(file, 'xlsx')] as const]
    : []),
  ...(havePrograms('ssconvert')
    ? [
        [
          'gnumeric',
          (file: string) => {
            run('ssconvert', [file, `${file}.xlsx`]);
            return `${file}.xlsx`;
          },
        ] as const,
      ]
    : []),
].map(([name, save]) => [name, save]);
