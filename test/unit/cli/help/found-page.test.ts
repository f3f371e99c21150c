/** `gw help` with any words: found-page.txt has lines that people type, each with a command or recipe that is found early. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { foundPage } from '../../../../src/cli/help/found-page.ts';
import { showHelp } from '../../../../src/cli/help/show-help.ts';
import { helpSource, plainStyle } from '../../../helpers/help.ts';

const source = await helpSource();
const pageOf = (words: string) => foundPage(words.split(' '), source, plainStyle(100)) ?? [];

/** Whoever reads a page looks at so many entries before another word is tried. */
const EARLY = 4;

/** @returns the entries of a page: a title and the lines below it */
const entriesOf = (words: string) =>
  pageOf(words)
    .join('\n')
    .split('\n\n')
    .filter((entry) => /^ {2}/m.test(entry));

const ROWS = readFileSync(new URL('found-page.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(/ +-> /) as [string, string]);

test.each(ROWS)('`gw help %s` finds %s early', (words, wanted) => {
  expect(entriesOf(words).slice(0, EARLY).join('\n')).toContain(wanted);
});

test('an example and flags that say what was asked are shown, and no others', () => {
  expect(pageOf('customers whose cards expire in april').join('\n')).toMatch(
    /^ {2}--expires <month> +Only customers whose cards expire then\.$/m,
  );
  expect(pageOf('webhooks into my app')).toContain(
    "  gw listen --events 'charge:*' --forward-to http://127.0.0.1:3000/hooks --verify",
  );
});

test('reports that differ in their period alone are told once', () => {
  const titles = entriesOf('how much was taken').map((entry) => entry.split('\n')[0]);
  expect(titles.filter((title) => title?.startsWith('Show what was taken'))).toHaveLength(1);
});

test('a sentence says what the interface cannot do, and the page goes on', () => {
  const [first = ''] = pageOf('print invoices');
  expect(first).toMatch(/^The interface has no invoices\./);
  expect(entriesOf('print invoices').length).toBeGreaterThan(0);
  const [tax = ''] = pageOf('net amounts without VAT');
  expect(tax).toMatch(/^The interface has no taxes, so the sums of `gw report month` include them/);
  expect(pageOf('Umsatzsteuer')[0]).toBe(tax);
  expect(pageOf('authorised but not captured')[0]).toMatch(/^The interface has no captures/);
  expect(pageOf('card was lost').join(' ')).toMatch(
    /^A stored card changes.*`gw customer update ID`/,
  );
  const [disputes] = pageOf('what if a customer disputed a charge');
  expect(disputes).toMatch(/^The interface has no disputes\./);
});

test.each([
  ['is the gateway up', /^`gw doctor` asks the gateway/],
  ['retry a failed payment', /^gw repeats no payment by itself/],
  ['charge the card again after a decline', /^gw repeats no payment by itself/],
  ['3-D Secure', /^The interface has no 3-D Secure/],
  ['verify webhook signature', /^The gateway signs no webhooks/],
  ['partial capture', /^The interface has no captures/],
  ['coupon for a customer', /^The interface has no discounts/],
  ['change webhook url', /^The pages of the gateway take the address/],
  ['address verification', /`gw history ID`/],
])('a sentence says at once what becomes of: %s', (words, said) => {
  expect(pageOf(words).join(' ')).toMatch(said);
});

test('a sentence is for payments, and not for webhooks or the test gateway', () => {
  for (const words of ['retry a failed webhook', 'is the test gateway up'])
    expect(pageOf(words)[0]).not.toMatch(/repeats no payment|doctor. asks/);
});

test('words that nothing has find nothing', () => {
  expect(pageOf('xyzzy')).toEqual([]);
  expect(pageOf('how do i')).toEqual([]);
});

async function shown(...words: string[]): Promise<string> {
  let text = '';
  const write = async (more: string) => {
    text += more;
  };
  const stdout = { write, columns: 80, isTTY: false };
  const out = { stdout, paged: () => undefined } as unknown as Parameters<typeof showHelp>[0];
  await showHelp(out, words, source);
  return text;
}

test('words in quotes are searched as well as words without', async () => {
  const text = await shown('takings by plan');
  expect(text).toBe(await shown('takings', 'by', 'plan'));
  expect(text).toContain('gw report month');
});

test('a letter that is wrong in a name is told, and nothing is searched', async () => {
  for (const name of ['purchase', 'purchase create'])
    await expect(shown(...name.replace('chase', 'chse').split(' '))).rejects.toMatchObject({
      next: `Did you mean \`gw help ${name}\`?`,
    });
});
