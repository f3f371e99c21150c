/**
 * Keeps under a name how the files of a bank are read: `gw reconcile FILE --save NAME` writes it, `--as NAME` uses it.
 * The forms are in `books.json`, in gw's configuration directory, which only the user may read. The file holds names of
 * columns and no payments.
 *
 *     { "commbank": { "map": { "decimal_amount": "Amount" }, "ignore": [], "dateOrder": "dmy" } }
 *
 * Tests: test/scripts/commands/reconcile-bank.script
 */
import { join } from 'node:path';
import * as z from 'zod/mini';
import { cleanText } from '../../base/clean-text.ts';
import { DATE_ORDERS } from '../../base/date-column.ts';
import { describeIssue } from '../../client/profiles/settings.ts';
import { checkedJson } from '../../client/profiles/store.ts';
import { DECIMAL_MARKS } from '../../contract/number-column.ts';
import { usage } from '../../failure.ts';
import type { Files } from '../../host/host.ts';
import type { FileSettings } from './read-table.ts';
import type { ReconcileOptions } from './reconcile-options.ts';

const FILE = 'books.json';
const MAX_BYTES = 1024 * 1024;
const MAX_NAME_LENGTH = 64;

const formSchema = z.strictObject({
  map: z.record(z.string(), z.string()),
  ignore: z.array(z.string()),
  decimalMark: z.optional(z.enum(DECIMAL_MARKS)),
  dateOrder: z.optional(z.enum(DATE_ORDERS)),
  debitIs: z.optional(z.enum(['in', 'out'])),
});
const formsSchema = z.record(z.string(), formSchema);
type Form = z.infer<typeof formSchema>;

type FormFiles = Pick<Files, 'configDirectory' | 'read' | 'writePrivate'>;

/** @throws Failure usage if the file is damaged */
async function readForms(files: FormFiles): Promise<Map<string, Form>> {
  const file = join(files.configDirectory, FILE);
  const text = files.read(file, MAX_BYTES);
  if (text === undefined) return new Map();
  const forms = formsSchema.safeParse(await checkedJson(text, file));
  if (forms.success) return new Map(Object.entries(forms.data));
  throw usage(
    'books-invalid',
    `${file} cannot be used: ${forms.error.issues.map(describeIssue).join('; ')}.`,
    'Correct the file, or remove it: `gw reconcile FILE --save NAME` writes it anew.',
  );
}

/**
 * @param name of `--as`
 * @returns the options with what was saved under the name; flags that were typed win
 * @throws Failure usage if nothing was saved under it
 */
export async function withSaved(
  files: FormFiles,
  options: ReconcileOptions,
  name: string,
): Promise<ReconcileOptions> {
  const forms = await readForms(files);
  const saved = forms.get(name);
  if (!saved) {
    const names = [...forms.keys()].sort().join(', ');
    throw usage(
      'books-unknown',
      `No form of a file is saved as ${JSON.stringify(name)}.`,
      names === ''
        ? 'Save one with --save NAME when gw reads a file.'
        : `These are: ${names}. Save another one with --save NAME.`,
      { sent: false },
    );
  }
  const { columns, decimalMark, dateOrder } = options.file;
  const typed = new Set(columns.mapped.values());
  const mapped = Object.entries(saved.map).filter(([, column]) => !typed.has(column));
  return {
    ...options,
    file: {
      columns: {
        mapped: new Map([...mapped, ...columns.mapped]),
        ignored: [...saved.ignore, ...columns.ignored],
      },
      decimalMark: decimalMark ?? saved.decimalMark,
      dateOrder: dateOrder ?? saved.dateOrder,
    },
    debitIs: options.debitIs ?? saved.debitIs,
  };
}

/**
 * @param text of `--save`
 * @returns the name
 * @throws Failure usage if it is blank, too long, or hides something
 */
export function savedName(text: string): string {
  const name = cleanText(text, '--save');
  if (name !== '' && name.length <= MAX_NAME_LENGTH) return name;
  throw usage(
    'books-name-invalid',
    `--save takes a name of 1 to ${MAX_NAME_LENGTH} characters.`,
    'For example --save commbank.',
    { sent: false },
  );
}

/** Saves how a file was read, in place of what has the name already. @throws Failure if it cannot be written */
export async function saveForm(
  files: FormFiles,
  name: string,
  { columns, decimalMark, dateOrder, debitIs }: FileSettings & Pick<ReconcileOptions, 'debitIs'>,
): Promise<void> {
  const forms = await readForms(files);
  const form: Form = {
    map: Object.fromEntries(columns.mapped),
    ignore: [...columns.ignored],
    ...(decimalMark && { decimalMark }),
    ...(dateOrder && { dateOrder }),
    ...(debitIs && { debitIs }),
  };
  const all = Object.fromEntries(new Map(forms).set(name, form));
  files.writePrivate(join(files.configDirectory, FILE), `${JSON.stringify(all, null, 2)}\n`);
}
