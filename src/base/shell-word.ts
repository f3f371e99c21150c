/** @returns a text as one word of a shell's command line, to be copied: quoted where it has to be */
export function shellWord(text: string): string {
  return /^[\w.@%+=:,/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * A text of others, a cell of a file for example, as a message quotes it: on one line, and harmless to whoever
 * copies it into a shell, which runs what it finds between double quotes.
 */
export function quotedText(text: string): string {
  const short = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED - 1)}…` : text;
  return /[`$\\!]/.test(short) ? shellWord(short) : JSON.stringify(short);
}

const MAX_QUOTED = 120;
