import type { Host } from '../host/host.ts';

/** Prompts are possible only when both ends are a terminal and stdin is not spoken for. */
export function mayAsk(host: Host, flags: { 'no-input'?: boolean | undefined }): boolean {
  return flags['no-input'] !== true && host.stdin.isTerminal && host.stderr.isTerminal;
}
