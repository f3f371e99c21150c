/** Statements that are written from the standard: message camt.053.001.08, and what a bank may leave out of it. */
import { expect, test } from 'vitest';
import { statementIn } from '../../../../src/commands/reconcile/file-format.ts';
import { readTable } from '../../../../src/commands/reconcile/read-table.ts';
import { readingText } from '../../../../src/commands/reconcile/reading-report.ts';
import { failureOf } from '../../../helpers/failure.ts';

const statement = (entries: string) => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId></GrpHdr><Stmt>
<Bal><Amt Ccy="EUR">1000.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
${entries}
</Stmt></BkToCstmrStmt></Document>`;

const entry = (amount: string, side: string, details = '', others = '') =>
  `<Ntry>${amount}<CdtDbtInd>${side}</CdtDbtInd>${others}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2025-12-31</Dt></BookgDt><ValDt><Dt>2026-01-01</Dt></ValDt>${details && `<NtryDtls>${details}</NtryDtls>`}<AddtlNtryInf>SEPA</AddtlNtryInf></Ntry>`;
const eur = (amount: string) => `<Amt Ccy="EUR">${amount}</Amt>`;
const payment = (reference: string, amount = '', side = '') =>
  `<TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs>${amount}${side && `<CdtDbtInd>${side}</CdtDbtInd>`}<RmtInf><Ustrd>Thanks for ${reference}</Ustrd></RmtInf></TxDtls>`;

async function read(text: string) {
  const layout = await statementIn(text, 'bank.xml');
  const settings = {
    columns: { mapped: new Map(), ignored: [] },
    decimalMark: undefined,
    dateOrder: undefined,
  };
  const table = readTable(text, {
    settings,
    currency: 'EUR',
    today: '2026-01-15',
    zone: 'UTC',
    statement: layout,
  });
  if ('question' in table) throw new Error(table.question.what);
  return { table, rows: table.rows.map((row) => table.book.written(row)) };
}

test('an entry has its booking day, its value day in the next year, its side and its references', async () => {
  const { rows } = await read(statement(entry(eur('1234.5'), 'CRDT', payment('INV-1'))));
  expect(rows).toMatchObject([
    {
      dates: ['2025-12-31', '2026-01-01'],
      amount: 123_450,
      currency: 'EUR',
      side: 'credit',
      texts: ['INV-1', 'Thanks for INV-1', 'SEPA'],
    },
  ]);
});

test('three digits after the point are no thousands', async () => {
  const { rows } = await read(
    statement(entry('<Amt Ccy="BHD">1.234</Amt>', 'CRDT', payment('INV-1'))),
  );
  expect(rows).toMatchObject([{ amount: 1234, currency: 'BHD' }]);
});

test('a reversed credit is a debit, as the entry says', async () => {
  const reversal = entry(eur('20.00'), 'DBIT', payment('INV-2'), '<RvslInd>true</RvslInd>');
  expect((await read(statement(reversal))).rows).toMatchObject([{ side: 'debit', amount: 2000 }]);
});

test('three currencies keep their own decimals', async () => {
  const amounts = [
    '<Amt Ccy="EUR">1.50</Amt>',
    '<Amt Ccy="JPY">1500</Amt>',
    '<Amt Ccy="USD">7</Amt>',
  ];
  const { rows } = await read(
    statement(amounts.map((amount) => entry(amount, 'CRDT', payment('X'))).join('')),
  );
  expect(rows.map(({ amount, currency }) => [amount, currency])).toEqual([
    [150, 'EUR'],
    [1500, 'JPY'],
    [700, 'USD'],
  ]);
});

test('a batch booking has a row for each payment that adds up to it', async () => {
  const parts = payment('INV-1', eur('70.00')) + payment('RET-1', eur('20.00'), 'DBIT');
  const { rows } = await read(statement(entry(eur('50.00'), 'CRDT', parts)));
  expect(rows.map(({ side, amount, texts }) => [side, amount, texts?.[0]])).toEqual([
    ['credit', 7000, 'INV-1'],
    ['debit', 2000, 'RET-1'],
  ]);
});

test.each([
  ['lack amounts', payment('INV-1') + payment('INV-2')],
  ['have another sum', payment('INV-1', eur('1.00')) + payment('INV-2', eur('2.00'))],
])('a batch booking whose payments %s is one row with all references', async (_, parts) => {
  const { rows } = await read(statement(entry(eur('50.00'), 'CRDT', parts)));
  expect(rows).toMatchObject([
    { amount: 5000, texts: ['INV-1 INV-2', expect.any(String), 'SEPA'] },
  ]);
});

test('NOTPROVIDED is no reference, and prefixes of names do not count', async () => {
  const text = statement(entry(eur('1.00'), 'CRDT', payment('NOTPROVIDED'))).replaceAll(
    /<(\/?)(\w)/g,
    '<$1ns:$2',
  );
  const { rows } = await read(text.replace('<ns:Document xmlns=', '<ns:Document xmlns:ns='));
  expect(rows).toMatchObject([{ amount: 100, texts: ['Thanks for NOTPROVIDED', 'SEPA'] }]);
});

test('a pending entry is no row, and gw says its line', async () => {
  const pending = entry(eur('9.00'), 'CRDT').replace('BOOK', 'PDNG');
  const { table, rows } = await read(
    statement(`${entry(eur('1.00'), 'CRDT', payment('A'))}\n${pending}`),
  );
  expect(rows).toHaveLength(1);
  expect(readingText('bank.xml', table)).toContain('not read: line 5 (not booked).');
});

test.each([
  [
    'OFX',
    'OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><STMTTRN></STMTTRN></OFX>',
    'bank.xml is OFX, which gw does not read.',
  ],
  [
    'OFX 2',
    '<?xml version="1.0"?><?OFX OFXHEADER="200"?><OFX></OFX>',
    'bank.xml is OFX, which gw does not read.',
  ],
  [
    'MT940',
    '{1:F01BANK}{4:\n:20:STARTUMS\n:61:2512310101C1,00NTRF\n-}',
    'bank.xml is an MT940 statement, which gw does not read.',
  ],
  [
    'another XML',
    '<?xml version="1.0"?><html></html>',
    'bank.xml is XML, but no statement of ISO 20022 (camt.053).',
  ],
  ['broken XML', '<?xml version="1.0"?><Document><BkToCstmrStmt>', 'bank.xml is not valid XML'],
])('%s is refused with a sentence', async (_, text, message) => {
  const failure = await failureOf(() => statementIn(text, 'bank.xml'));
  expect(failure.code).toBe('books-format');
  expect(failure.message).toContain(message);
});

test('a table is no statement', async () => {
  expect(await statementIn('Date,Amount\n2026-01-01,1.00', 'bank.csv')).toBeUndefined();
});
