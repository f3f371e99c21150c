/** Tells which form a file of the books has, by how it begins. */
import { usage } from '../../failure.ts';
import type { Layout } from './layout.ts';

/** Forms that gw does not read, by a pattern in the beginning of the text. */
const UNREAD: readonly (readonly [form: string, begins: RegExp])[] = [
  ['OFX', /^OFXHEADER|<OFX>/m],
  ['an MT940 statement', /^(?:\{1:|:20:)/m],
  ['QIF', /^!Type:/m],
];
/** The characters of the beginning. */
const BEGINNING = 2_000;

/**
 * @param name of the file, for messages
 * @returns the table of a statement in XML; undefined for every other text, which is a table of its own or JSON lines
 * @throws Failure usage for a form that gw does not read
 */
export async function statementIn(text: string, name: string): Promise<Layout | undefined> {
  const begin = text.slice(0, BEGINNING).trimStart();
  const [form] = UNREAD.find(([, begins]) => begins.test(begin)) ?? [];
  if (form !== undefined)
    throw usage(
      'books-format',
      `${name} is ${form}, which gw does not read.`,
      "Export the same period as CSV or as camt.053 from your bank's site.",
      { sent: false },
    );
  if (!/^<(?:\?xml|\w)/.test(begin)) return undefined;
  const { camtLayout } = await import('./camt.ts');
  return camtLayout(text, name);
}
