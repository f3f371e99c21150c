/**
 * What this machine knows: its profiles, the embedded gateway, and the ledger in its file with the look-ups
 * that wait to be taken in. A ledger on a server is not asked, since a Tab is no time to wait for a network.
 * Each is loaded when it is asked for.
 */
import type { Host } from '../host/host.ts';
import type { Known } from './known.ts';

export function knownHere(files: Pick<Host, 'files'>['files']): Known {
  return {
    async profiles() {
      const { listProfiles } = await import('../profiles/store.ts');
      const listed = await listProfiles(files).catch(() => []);
      return listed.map(({ profile: { name, environment, baseUrl } }) => ({
        value: name,
        meaning: [environment, baseUrl].filter(Boolean).join(', '),
      }));
    },
    async names(kind, prefix, profile) {
      const { namesInFiles } = await import('./names-in-files.ts');
      return namesInFiles(files, kind, { prefix, profile });
    },
    async batches(profile) {
      const { batchesInFiles } = await import('./names-in-files.ts');
      return batchesInFiles(files, profile);
    },
    async hooks() {
      const { hooksInFiles } = await import('./names-in-files.ts');
      return hooksInFiles(files);
    },
  };
}
