import type { Context } from '../host/context.ts';
import { emulatorPath } from '../store/paths.ts';
import type { Store } from './store.ts';

/**
 * Opens the embedded gateway's state, and closes it after `work`.
 * @param db value of --db. @returns what `work` does. @throws Failure usage when the file cannot be used
 */
export async function withState<Result>(
  { host: { clock, files } }: Context,
  db: string | undefined,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const { openState } = await import('./state.ts');
  const store = openState({ path: db ?? emulatorPath(files), clock });
  try {
    return await work(store);
  } finally {
    store.close();
  }
}
