/** Reads the text of a file of the books, and tells which form it has, by how it begins. */
import { Failure, usage } from '../../failure.ts';
import type { Host } from '../../host/host.ts';
import { MAX_INPUT_BYTES, readInputText } from '../../requests/batch/engine/rows.ts';
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
 * Banks of Europe export Windows-1252. A look-up sends nothing, so a wrong letter does no harm here; a batch refuses such
 * a file.
 * @param source a path, or `-` for stdin
 * @throws Failure usage if it cannot be read, or is no text
 */
export async function readBooks(
  host: Pick<Host, 'stdin' | 'readNamed' | 'files' | 'stderr'>,
  source: string,
): Promise<string> {
  try {
    return await readInputText(host, source);
  } catch (error) {
    const isOld = error instanceof Failure && error.code === 'file-not-utf8';
    const size = isOld ? host.files.size(source) : undefined;
    const text = size ? host.files.read(source, MAX_INPUT_BYTES, 'windows-1252') : undefined;
    if (text === undefined) throw error;
    await host.stderr.write(`${source}: read as Windows-1252, because it is not UTF-8.\n`);
    return text;
  }
}

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
