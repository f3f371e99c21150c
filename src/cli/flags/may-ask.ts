import type { Host } from '../../host/host.ts';

/** Prompts are possible only when both ends are a terminal and stdin is not spoken for. */
export function mayAsk(host: Host, flags: { 'no-input'?: boolean | undefined }): boolean {
  // stdin last: looking at it opens it, which takes longer than reading a small file.
  return flags['no-input'] !== true && host.stderr.isTerminal && host.stdin.isTerminal;
}
