/** @returns a text as one word of a shell's command line, to be copied: quoted where it has to be */
export function shellWord(text: string): string {
  return /^[\w.@%+=:,/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
