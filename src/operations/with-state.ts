import type { Store } from '../emulator/store.ts';
import type { Context } from '../session/context.ts';
import { emulatorPath } from '../session/paths.ts';

/**
 * Opens the embedded gateway's state, and closes it after `work`.
 * @param db value of --db. @throws Failure usage when the file cannot be used
 */
export async function withState(
  { host: { clock, files } }: Context,
  db: string | undefined,
  work: (store: Store) => Promise<void>,
): Promise<void> {
  const { openState } = await import('../emulator/state.ts');
  const store = openState({ path: db ?? emulatorPath(files), clock });
  try {
    await work(store);
  } finally {
    store.close();
  }
}
