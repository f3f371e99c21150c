/** The flags of commands whose rows people take into a spreadsheet, or send. */
import { usage } from '../../failure.ts';
import type { OutputOptions } from '../../view/print-records.ts';
import { outputOptions } from './command-options.ts';
import { type FlagValuesOf, inGroup } from './flag.ts';
import type { printFlags } from './global-flags.ts';

const output = inGroup('OUTPUT');

/** They write rows for a spreadsheet, or as a page. */
export const sheetFlags = {
  excel: output.toggle({
    description:
      "Print CSV for Excel and LibreOffice: texts that stay what they are, money as decimals, in your language's form.",
    exclusive: ['json', 'jq'],
  }),
  xlsx: output.option({
    description: 'Write a workbook of Excel to this file, which must not exist yet.',
    helpValue: '<file>',
    exclusive: ['excel', 'output', 'json', 'jq', 'header', 'no-formulas'],
  }),
  html: output.option({
    description: 'Write the rows as a page to print or to send, to this file; - for stdout.',
    helpValue: '<file>',
    // biome-ignore format: names that belong together stand in one line
    exclusive: ['all-profiles', 'output', 'json', 'jq', 'header', 'no-formulas', 'excel', 'xlsx'],
  }),
};

/** @returns the output that these flags and `printFlags` ask for. @throws Failure usage if they ask for CSV and for another format */
export function sheetOutput(
  flags: Partial<FlagValuesOf<typeof printFlags & typeof sheetFlags>>,
): OutputOptions {
  const chosen = outputOptions(flags);
  if (!flags.excel) return { ...chosen, workbook: flags.xlsx, page: flags.html };
  if ((flags.output ?? 'csv') !== 'csv')
    throw usage(
      'flags-exclusive',
      `--excel prints CSV, and -o asks for ${flags.output}.`,
      'Leave one of them out.',
    );
  return { ...chosen, format: 'csv', hasNoFormulas: true, isForExcel: true };
}
