/** Where the flags of output end: nothing behind this file knows one of them by its name. */
import type { OutputOptions } from '../../view/print-records.ts';
import type { Format } from '../../view/printer.ts';

interface OutputFlags {
  output?: Format | undefined;
  json?: boolean | undefined;
  fields?: string | undefined;
  jq?: string | undefined;
  header?: boolean | undefined;
  'no-formulas'?: boolean | undefined;
  'no-pager'?: boolean | undefined;
}

/** @returns what `printFlags` say */
export function outputOptions(flags: OutputFlags): OutputOptions {
  const { output, json, fields, jq, header } = flags;
  return {
    format: json ? 'json' : output,
    fields,
    jq,
    hasHeader: header,
    hasNoFormulas: flags['no-formulas'] ?? false,
    isUnpaged: flags['no-pager'] ?? false,
  };
}
