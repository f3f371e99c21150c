/** What is known on this machine and can be completed: profiles, names of records, entries, events. */
import type { RecordKind } from '../../contract/record-id.ts';

/** A value and what it means, in a few words. */
export interface Suggestion {
  value: string;
  meaning: string;
}

/** What there is to choose from; or files, which the shell knows best. */
export type Completion = { kind: 'values'; candidates: Suggestion[] } | { kind: 'files' };

/** What a value names. */
export type NameKind = RecordKind | 'request' | 'event' | 'any';

/** Asked for values; each answers in bounded time, without network or keychain, and never fails. */
export interface CompletionSources {
  profiles(): Promise<Suggestion[]>;
  /**
   * @param prefix what the names begin with
   * @param profile only of this one; undefined for the profile in use, null for all
   * @returns ids, and references where they name a record, newest first
   */
  names(kind: NameKind, prefix: string, profile: string | null | undefined): Promise<Suggestion[]>;
  /** As `names`. @returns names of batches, those that were at work last first */
  batches(profile: string | null | undefined): Promise<Suggestion[]>;
  /** @returns ids of the hooks of the embedded gateway */
  hooks(): Promise<Suggestion[]>;
}
