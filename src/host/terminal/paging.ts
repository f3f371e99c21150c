/** Decides whether a pager is wanted, before loading it (pager.ts). */
import type { Host, Output } from '../host.ts';
import type { Pager, PagerParts } from './pager.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface Paging extends Pick<Host, 'paged' | 'endPaged' | 'stderr'> {
  /** Whether the pager has the terminal now. */
  isOpen(): boolean;
}

/** @returns the pager of this process, and a stderr that waits while the pager has the terminal */
export function createPaging(parts: PagerParts): Paging {
  const { stdout, stderr, env } = parts;
  let pager: Pager | undefined;
  const end = async () => pager?.end();
  return {
    isOpen: () => pager?.isOpen === true,
    stderr: withWrite(stderr, (text) => (pager ? pager.say(text) : stderr.write(text))),
    paged() {
      const command = pagerOf(env);
      if (!stdout.isTerminal || stdout.isPlain || command === undefined) return undefined;
      const write = async (text: string) => {
        const { Pager } = await import('./pager.ts');
        pager ??= new Pager(parts, command);
        return pager.write(text);
      };
      return Object.assign(withWrite(stdout, write), { end });
    },
    endPaged: end,
  };
}

/** @returns the command line of the pager; undefined for none */
export function pagerOf(env: Env): string | undefined {
  const pager = env.GW_PAGER ?? env.PAGER ?? 'less';
  return ['', 'cat'].includes(pager.trim()) ? undefined : pager;
}

/** @returns the same output with another way to write */
export function withWrite(output: Output, write: Output['write']): Output {
  return Object.create(output, { write: { value: write } });
}
