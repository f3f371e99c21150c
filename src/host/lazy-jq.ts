/** jq, before anything of it is loaded. */
import { join } from 'node:path';
import type { Jq } from './host.ts';

const PROGRAM = 'dist/jq-worker.cjs';

/**
 * @param root folder of the program
 * @returns jq, which is loaded by its first run
 */
export function lazyJq(root: string): Jq {
  let loaded: Promise<Jq> | undefined;
  const load = async () => {
    const { createJq } = await import('./jq/jq-thread.ts');
    return createJq(join(root, PROGRAM));
  };
  return {
    async run(...run) {
      loaded ??= load();
      return (await loaded).run(...run);
    },
  };
}
