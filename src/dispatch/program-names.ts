/** The ordinary commands, by what a user types after `gw`: they run without oclif (fast-path.ts). */
export const PROGRAM_NAMES = [
  'tokenize',
  'purchase create',
  'purchase get',
  'refund create',
  'refund get',
  'plan create',
  'plan list',
  'plan get',
  'plan update',
  'customer create',
  'customer get',
  'customer update',
  'customer delete',
  'subscription create',
  'subscription get',
  'subscription update',
  'get',
] as const;

export type ProgramName = (typeof PROGRAM_NAMES)[number];
