/** Workbooks as several programs write them, from the standard: parts with and without prefixes, places and formats. */
import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../../../src/failure.ts';
import { numberText } from '../../../../src/requests/batch/workbook/cell-text.ts';
import { workbookText } from '../../../../src/requests/batch/workbook/workbook.ts';

interface Parts {
  /** The rows of the sheets, as XML. */
  sheets: readonly string[];
  /** Attributes of each sheet in the list of sheets. */
  states?: readonly string[];
  texts?: string;
  styles?: string;
  properties?: string;
  target?: string;
}

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const RELATIONS = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

function workbook({ sheets, states = [], texts, styles, properties = '', target = '' }: Parts) {
  const list = sheets.map(
    (_, n) =>
      `<sheet name="Sheet ${n + 1}" sheetId="${n + 1}" r:id="rId${n + 1}" ${states[n] ?? ''}/>`,
  );
  const relations = sheets.map(
    (_, n) => `<Relationship Id="rId${n + 1}" Target="${target}worksheets/sheet${n + 1}.xml"/>`,
  );
  const files: Record<string, string> = {
    'xl/workbook.xml': `<workbook ${MAIN} ${RELATIONS}>${properties}<sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
    ...Object.fromEntries(
      sheets.map((rows, n) => [
        `xl/worksheets/sheet${n + 1}.xml`,
        `<worksheet ${MAIN}><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...(texts !== undefined && { 'xl/sharedStrings.xml': `<sst ${MAIN}>${texts}</sst>` }),
    ...(styles !== undefined && { 'xl/styles.xml': `<styleSheet ${MAIN}>${styles}</styleSheet>` }),
  };
  return zipSync(
    Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, strToU8(xml)])),
  );
}

const text = (parts: Parts) => workbookText(workbook(parts), 'a.xlsx');

function refusal(bytes: Uint8Array, name = 'a.xlsx'): string {
  try {
    return `taken: ${workbookText(bytes, name)}`;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect(error.code).toBe('workbook-refused');
    return `${error.message} ${error.next}`;
  }
}

describe('the text of a sheet', () => {
  test.each<[what: string, parts: Parts, csv: string]>([
    [
      'texts that cells share, with fonts, without how they are pronounced, and with escaped characters',
      {
        texts:
          '<si><t>Name</t></si><si><r><t>Ada </t></r><r><rPr><b/></rPr><t>Byron</t></r></si><si><t>課</t><rPh sb="0" eb="1"><t>カ</t></rPh></si><si><t>a_x005F_x0041_b_x000D_c</t></si>',
        sheets: [
          '<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2" t="s"><v>1</v></c></row><row r="3"><c r="A3" t="s"><v>2</v></c></row><row r="4"><c r="A4" t="s"><v>3</v></c></row>',
        ],
      },
      'Name\nAda Byron\n課\na_x0041_b c\n',
    ],
    [
      'texts in their cells, truths, errors and results of formulas',
      {
        sheets: [
          '<row r="1"><c r="A1" t="inlineStr"><is><t>a, "b"</t></is></c><c r="B1" t="b"><v>1</v></c><c r="C1" t="e"><v>#REF!</v></c><c r="D1" t="str"><f>A1</f><v>x</v></c><c r="E1"><f>1+1</f><v>2</v></c></row>',
        ],
      },
      '"a, ""b""",TRUE,#REF!,x,2\n',
    ],
    [
      'rows and cells that are left out, or have no place',
      {
        sheets: [
          '<row><c><v>1</v></c><c><v>2</v></c></row><row r="4"><c r="C4"><v>3</v></c></row><row><c><v>4</v></c></row><row r="9"><c r="A9" s="3"/></row>',
        ],
      },
      '1,2,\n,,\n,,\n,,3\n4,,\n',
    ],
    [
      'line breaks in a cell as spaces, so that row 2 stays line 2',
      {
        sheets: [
          '<row r="1"><c r="A1" t="inlineStr"><is><t>one\ntwo</t></is></c></row><row r="2"><c r="A2"><v>5</v></c></row>',
        ],
      },
      'one two\n5\n',
    ],
    [
      'names with prefixes, and a place from the root of the package',
      {
        sheets: [
          '</sheetData><x:sheetData><x:row r="1"><x:c r="AB1"><x:v>7</x:v></x:c></x:row></x:sheetData><sheetData>',
        ],
        target: '/xl/',
      },
      `${','.repeat(27)}7\n`,
    ],
    [
      'one sheet beside hidden and empty ones',
      {
        sheets: [
          '<row r="1"><c r="A1"><v>1</v></c></row>',
          '<row r="1"><c r="A1"><v>2</v></c></row>',
          '',
          '',
        ],
        states: ['state="hidden"', '', 'state="veryHidden"', ''],
      },
      '2\n',
    ],
    ['nothing of an empty workbook', { sheets: [''] }, ''],
    [
      'amounts and days by their formats',
      {
        styles:
          '<numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="4"/><xf numFmtId="164"/><xf numFmtId="14"/></cellXfs>',
        sheets: [
          '<row r="1"><c r="A1" s="1"><v>1018</v></c><c r="B1" s="2"><v>46112</v></c><c r="C1" s="3"><v>46112</v></c><c r="D1"><v>12345678901</v></c></row>',
        ],
      },
      '1018.00,2026-03-31,2026-03-31,12345678901\n',
    ],
    [
      'days that are counted from 1904',
      {
        properties: '<workbookPr date1904="1"/>',
        styles: '<cellXfs><xf numFmtId="14"/><xf numFmtId="20"/></cellXfs>',
        sheets: ['<row r="1"><c r="A1" s="0"><v>44650</v></c><c r="B1" s="1"><v>0.5</v></c></row>'],
      },
      '2026-03-31,12:00\n',
    ],
  ])('has %s', (_, parts, csv) => {
    expect(text(parts)).toBe(csv);
  });
});

test.each<[value: number, code: string, shown: string]>([
  [18, 'General', '18'],
  [0.1 + 0.2, '0.00', '0.30'],
  [0.1 + 0.2, 'General', '0.3'],
  [4.545454, '0.00', '4.55'],
  [-1234.5, '#,##0.00;[Red]-#,##0.00', '-1234.50'],
  [-1234.5, '#,##0.00_);(#,##0.00)', '(1234.50)'],
  [1234.5, '"$"#,##0.00', '$1234.50'],
  [1234.5, '[$€-407] #,##0.00', '€ 1234.50'],
  [1234.5, '#,##0.00 [$AUD]', '1234.50 AUD'],
  [1234.5, '_-[$$-C09]* #,##0.00_-;-[$$-C09]* #,##0.00_-', '$1234.50'],
  [0.075, '0.0%', '7.5%'],
  [777, '00000', '00777'],
  [123456789012345, 'General', '123456789012345'],
  [1234567890123456, 'General', '1.23456789012346E+15'],
  [1.5e-7, 'General', '1.5e-7'],
  [46112.5, 'yyyy-mm-dd hh:mm', '2026-03-31 12:00:00'],
  [46112.5, 'd/m/yy', '2026-03-31'],
  [46084, 'd-mmm', '3-Mar'],
  [46082, 'mmm yy', 'Mar 26'],
  [0.5, 'h:mm', '12:00'],
  [1234567, '0.00E+00', '1234567'],
])('%d in the format %s is %s', (value, code, shown) => {
  expect(numberText(value, code, false)).toBe(shown);
});

describe('gw refuses', () => {
  const one = '<row r="1"><c r="A1"><v>1</v></c></row>';

  test.each<[what: string, parts: Parts, says: string]>([
    [
      'rows that nobody saw',
      { sheets: [`${one}<row r="2" hidden="1"><c r="A2"><v>2</v></c></row>`] },
      'a.xlsx has hidden rows: 2. Show all rows, or delete these, and save it.',
    ],
    [
      'two sheets',
      { sheets: [one, one] },
      'a.xlsx has several sheets: “Sheet 1”, “Sheet 2”. Keep one sheet in it, or save the sheet as “CSV UTF-8”, and give that file.',
    ],
    [
      'formulas that no program worked out',
      { sheets: ['<row r="1"><c r="A1"><f>1+1</f></c></row>'] },
      'a.xlsx has formulas whose results were not saved: A1. Open it in a spreadsheet, and save it there.',
    ],
    [
      'a place that no sheet has',
      { sheets: ['<row r="1"><c r="ZZZZ1"><v>1</v></c></row>'] },
      'a.xlsx is a packed file, and cannot be read as a workbook of Excel (it has a cell ZZZZ1). Save it as .xlsx, or save the sheet as “CSV UTF-8”, and give that file.',
    ],
    [
      'XML that ends too early',
      { sheets: ['<row r="1"><c r="A1">'] },
      'a.xlsx is a packed file, and cannot be read as a workbook of Excel (Unexpected close tag). Save it as .xlsx, or save the sheet as “CSV UTF-8”, and give that file.',
    ],
  ])('%s', (_, parts, says) => {
    expect(refusal(workbook(parts))).toBe(says);
  });

  test('packed files that are no workbook, and a workbook that was cut off', () => {
    const whole = workbook({ sheets: [one] });
    const other = zipSync({ 'content.xml': strToU8('<office/>') });
    for (const bytes of [other, whole.subarray(0, -30), whole.subarray(0, 40)])
      expect(refusal(bytes)).toContain('cannot be read as a workbook of Excel');
    expect(refusal(other, 'my books.ods')).toContain(
      "`soffice --headless --convert-to xlsx 'my books.ods'` writes it as .xlsx.",
    );
  });

  test('a row that is hidden and blank hides nothing', () => {
    const hidden = '<row r="2" hidden="1"><c r="A2" s="1"/></row>';
    expect(text({ sheets: [one + hidden] })).toBe('1\n');
  });
});
