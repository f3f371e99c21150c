/** Main gives this to every command. */
import type { Host } from './host.ts';
import type { Redactor } from './redaction/redactor.ts';

export interface Context {
  /** Its outputs pass through the redactor. */
  host: Host;
  /** Learns the secrets of this run. */
  redactor: Redactor;
  /** Folder of package.json, the manifest and `dist`. */
  root: string;
}
