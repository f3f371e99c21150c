/** The hooks for whoever completes a command line, from a file that is only read. */
import type { Queries } from '../../store/sqlite/queries.ts';
import type { Hook } from './hooks.ts';
import { urlToShow } from './hooks.ts';

/** @returns each hook with its address, without the username and password of that */
export function knownHooks(queries: Queries): Pick<Hook, 'id' | 'url' | 'events'>[] {
  const hooks = queries.all<Pick<Hook, 'id' | 'url' | 'events'>>(
    'SELECT id, url, events FROM hooks ORDER BY id',
  );
  return hooks.map((hook) => ({ ...hook, url: urlToShow(hook.url) }));
}
