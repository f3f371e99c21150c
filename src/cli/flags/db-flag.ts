import { option } from './flag.ts';

/** Of commands that look into the embedded gateway's file. */
export const dbFlag = {
  db: option({
    description: 'File with the state. Default: the one of --profile local.',
    helpValue: '<file>',
  }),
};
