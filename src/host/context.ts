/** Main gives this to every command. */
import type { Load } from './code-cache.ts';
import type { Host } from './host.ts';
import type { Redactor } from './redaction/redactor.ts';

export interface Context {
  /** Its outputs pass through the redactor. */
  host: Host;
  /** Learns the secrets of this run. */
  redactor: Redactor;
  /** Folder of package.json, the manifest and `dist`. */
  root: string;
  /** The loader of the built program; a test has none. */
  load?: Load;
}
