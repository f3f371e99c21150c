/** The groups of flags on a page, in order: rare flags come last. */

import type { FlagMap } from '../flags/flag.ts';
import {
  everywhereFlags,
  interactionFlags,
  outputFlags,
  profileFlag,
  requestFlags,
} from '../flags/global-flags.ts';
import type { CommandHelp, HelpFlag } from './help-data.ts';

/** Titles by `helpGroup`, in order. Flags without a group are the command's own. */
const TITLES: Readonly<Record<string, string>> = {
  FIELD: 'Request',
  '': 'Flags',
  FILTER: 'Filters',
  CARD: 'Card',
  INPUT: 'From a file',
  BATCH: 'Batch',
  RECEIVER: 'Receiving',
  EVENTS: 'Events',
  END: 'When it ends',
  PAGE: 'Pages',
  OUTPUT: 'Output',
  GLOBAL: 'Profile and safety',
  RARE: 'Rarely needed',
};

/** Flags that mean the same everywhere. */
const COMMON: FlagMap = {
  ...profileFlag,
  ...outputFlags,
  ...requestFlags,
  ...interactionFlags,
  ...everywhereFlags,
};

/** @returns whether the guide `flags` explains a flag. A command may have one of its own by the same name. */
export function isCommon({ name, description }: HelpFlag): boolean {
  return COMMON[name]?.description === description;
}

export interface FlagGroup {
  title: string;
  flags: readonly HelpFlag[];
}

/** @returns the groups that have flags; in each, required flags come first */
export function flagGroups({ flags }: Pick<CommandHelp, 'flags'>): FlagGroup[] {
  const all = Object.values(flags);
  const groups = [
    ...new Set([...Object.keys(TITLES), ...all.map(({ helpGroup = '' }) => helpGroup)]),
  ];
  return groups
    .map((group) => ({
      title: TITLES[group] ?? `${group.charAt(0)}${group.slice(1).toLowerCase()}`,
      flags: all
        .filter(({ helpGroup = '' }) => helpGroup === group)
        .sort((a, b) => Number(b.required ?? false) - Number(a.required ?? false)),
    }))
    .filter((group) => group.flags.length > 0);
}

/** @returns a flag as it is typed: `-p, --profile <name>` */
export function flagTerm(flag: HelpFlag): string {
  const { name, char, type, helpValue = '<value>', allowNo, multiple, options } = flag;
  const value =
    type === 'boolean' ? '' : ` ${options ? `<${name}>` : helpValue}${multiple ? '…' : ''}`;
  return `${char ? `-${char}, ` : ''}--${allowNo ? '[no-]' : ''}${name}${value}`;
}

/** @returns the meaning of a flag, with its choices and its default */
export function flagMeaning(flag: HelpFlag): string {
  const { description, options, default: standard, required } = flag;
  return [
    description,
    ...(options ? [`One of: ${options.join(', ')}.`] : []),
    ...(standard === undefined ? [] : [`Default: ${standard}.`]),
    ...(required ? ['Required.'] : []),
  ].join(' ');
}
