/** Where gw keeps what it remembers. */
import { join } from 'node:path';
import type { Files } from '../host/host.ts';

type Directories = Pick<Files, 'stateDirectory'>;

/** @returns the file that holds the state of the embedded gateway */
export const emulatorPath = (files: Directories) => join(files.stateDirectory, 'emulator.db');

/** @returns the file of records that are on their way to the ledger */
export const seenPath = (files: Directories) => join(files.stateDirectory, 'seen.jsonl');

/** @returns the directory of outcomes that wait for a server that cannot be reached */
export const outcomesPath = (files: Directories) => join(files.stateDirectory, 'outcomes');

/** @returns the directory of what this machine has seen of the shared ledger of a profile */
export const marksPath = (files: Directories, profile: string) =>
  join(files.stateDirectory, 'ledger-marks', profile);

/** @returns the file that holds the ledger */
export const ledgerPath = (files: Directories) => join(files.stateDirectory, 'ledger.db');
