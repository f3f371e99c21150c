/** Paths of the files in gw's state directory. */
import { join } from 'node:path';
import type { Files } from '../host/host.ts';

type Directories = Pick<Files, 'stateDirectory'>;

/** @returns the file with the state of the test gateway */
export const emulatorPath = (files: Directories) => join(files.stateDirectory, 'emulator.db');

/** @returns the file of record snapshots on their way to the ledger */
export const seenPath = (files: Directories) => join(files.stateDirectory, 'seen.jsonl');

/** @returns the directory of outcomes that wait until the server is reachable */
export const outcomesPath = (files: Directories) => join(files.stateDirectory, 'outcomes');

/** @returns the directory of ledger marks */
export const marksPath = (files: Directories) => join(files.stateDirectory, 'ledger-marks');

export const ledgerPath = (files: Directories) => join(files.stateDirectory, 'ledger.db');
