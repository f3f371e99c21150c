/** What the commands that look into the embedded gateway's file have in common. */
import { Flags } from '@oclif/core';
import type { Store } from '../emulator/store.ts';
import { emulatorPath } from '../session/paths.ts';
import { GwCommand } from './command.ts';

export const dbFlag = {
  db: Flags.string({
    description: 'File of the state. Default: the one of --profile local.',
    helpValue: '<file>',
  }),
};

export abstract class EmulatorCommand extends GwCommand {
  /**
   * Opens the state, and closes it after `work`.
   * @param db value of --db. @throws Failure usage when the file cannot be used
   */
  protected async withState(
    db: string | undefined,
    work: (store: Store) => Promise<void>,
  ): Promise<void> {
    const { clock, files } = this.host;
    const { openState } = await import('../emulator/state.ts');
    const store = openState({ path: db ?? emulatorPath(files), clock });
    try {
      await work(store);
    } finally {
      store.close();
    }
  }
}
