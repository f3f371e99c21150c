import { Args } from '@oclif/core';

// oclif would otherwise wait for an argument on stdin, which belongs to `-`.
const common = { required: true, ignoreStdin: true } as const;

/** One id. */
export const idArg = (description: string) => ({ id: Args.string({ ...common, description }) });

/** Several ids, or `-`; the command must not be strict. */
export const idsArg = (description: string) => ({
  id: Args.string({
    ...common,
    description: `${description} Several, or - to read them from stdin.`,
  }),
});
