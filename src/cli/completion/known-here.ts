/**
 * What this machine knows: its profiles, the embedded gateway, and the ledger in its file with the look-ups
 * that wait to be taken in. A ledger on a server is not asked, since a Tab is no time to wait for a network.
 * Each is loaded when it is asked for.
 */

import type { LedgerSources } from '../../client/ledger/place.ts';
import type { Host } from '../../host/host.ts';
import type { CompletionSources } from './sources.ts';

export function knownHere(files: Host['files'], env: Host['env'] = {}): CompletionSources {
  const sources = { files, env };
  return {
    async profiles() {
      const { listProfiles } = await import('../../client/profiles/store.ts');
      const listed = await listProfiles(files).catch(() => []);
      return listed.map(({ profile: { name, environment, baseUrl } }) => ({
        value: name,
        meaning: [environment, baseUrl].filter(Boolean).join(', '),
      }));
    },
    async names(kind, prefix, profile) {
      const us = await whoseHere(sources, profile);
      const { namesInFiles } = await import('./names-in-files.ts');
      return us ? namesInFiles(sources, us, { kind, prefix }) : [];
    },
    async batches(profile) {
      const us = await whoseHere(sources, profile);
      const { batchesInFiles } = await import('./names-in-files.ts');
      return us ? batchesInFiles(sources, us) : [];
    },
    async hooks() {
      const { hooksInFiles } = await import('./names-in-files.ts');
      return hooksInFiles(files);
    },
  };
}

/** @returns undefined where the profile in use cannot be told: nothing is offered then */
async function whoseHere(sources: LedgerSources, profile: string | null | undefined) {
  const { whose } = await import('../flags/whose.ts');
  const choice = { profile: profile ?? undefined, isOfAll: profile === null };
  return whose(sources, choice).catch(() => undefined);
}
