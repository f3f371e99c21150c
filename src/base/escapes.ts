/**
 * What stands for a character, in a URL (`%35`), in HTML (`&#53;`, `&nbsp;`) and in JSON (`\u0035`, `\n`), and
 * may do so several times over: `%2535`, `&amp;#53;`. A text is searched as it is, and as it reads at each level.
 */

/** Part of a text, in UTF-16 units: the first, and the one after the last. */
export interface Span {
  from: number;
  to: number;
}

/** Deeper than this nothing is read. */
const MAX_LEVELS = 5;

const ESCAPE =
  /\\(?:u[\da-f]{4}|u\{[\da-f]{1,6}\}|x[\da-f]{2}|[^\da-z]|[bfnrt])|%(?:[0-7][\da-f]|[cd][\da-f]%[89ab][\da-f]|e[\da-f](?:%[89ab][\da-f]){2}|f[0-4](?:%[89ab][\da-f]){3})|&(?:#\d{1,9};?|#x[\da-f]{1,8};?|[a-z]{2,8};)/gi;

const NAMED: Readonly<Record<string, string>> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" },
  ...{ '\\b': '\b', '\\f': '\f', '\\n': '\n', '\\r': '\r', '\\t': '\t' },
};

/**
 * @param find looks for what is to be replaced, in the text and in each of its readings
 * @param by stands in the place of each part that was found
 * @returns the very same text where nothing is found
 */
export function replaceInReadings(
  text: string,
  find: (reading: string) => readonly Span[],
  by: string,
): string {
  const found = findInReadings(text, find, MAX_LEVELS).sort((a, b) => a.from - b.from);
  if (found.length === 0) return text;
  const parts: string[] = [];
  let end = 0;
  for (const { from, to } of found) {
    if (from >= end) parts.push(text.slice(end, from), by);
    end = Math.max(end, to);
  }
  return parts.join('') + text.slice(end);
}

function findInReadings(
  text: string,
  find: (reading: string) => readonly Span[],
  levels: number,
): Span[] {
  const found = [...find(text)];
  const reading = levels > 0 ? readingOf(text) : undefined;
  if (!reading) return found;
  for (const { from, to } of findInReadings(reading.text, find, levels - 1))
    found.push({ from: reading.placeOf(from), to: reading.placeOf(to) });
  return found;
}

interface Reading {
  text: string;
  /** @returns where a place of the reading is in the text that was read */
  placeOf(at: number): number;
}

/** @returns the text one level down; undefined where nothing in it is escaped */
function readingOf(text: string): Reading | undefined {
  if (!/[%&\\]/.test(text)) return undefined;
  const parts: string[] = [];
  /** Where each escape is in the text and in the reading, and what follows it in both. */
  const escapes: { at: number; end: number; readAt: number; readEnd: number }[] = [];
  let end = 0;
  let readEnd = 0;
  for (const { 0: written, index: at } of text.matchAll(ESCAPE)) {
    const character = characterOf(written);
    parts.push(text.slice(end, at), character);
    const readAt = readEnd + at - end;
    readEnd = readAt + character.length;
    end = at + written.length;
    escapes.push({ at, end, readAt, readEnd });
  }
  if (parts.length === 0) return undefined;
  const placeOf = (place: number) => {
    let low = 0;
    let high = escapes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (escapes[middle]!.readAt <= place) low = middle + 1;
      else high = middle;
    }
    const last = escapes[low - 1];
    if (!last) return place;
    return place < last.readEnd ? last.at : last.end + place - last.readEnd;
  };
  return { text: parts.join('') + text.slice(end), placeOf };
}

/** @returns what an escape stands for; a space for the name of a character that gw does not know */
function characterOf(written: string): string {
  if (written.startsWith('%')) return percentDecoded(written);
  const hex = /^(?:\\[ux]\{?|&#x)([\da-f]+)/i.exec(written)?.[1];
  const decimal = /^&#(\d+)/.exec(written)?.[1];
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (code <= 0x10ffff) return String.fromCodePoint(code);
  return NAMED[written.toLowerCase()] ?? (written.startsWith('\\') ? written.slice(1) : ' ');
}

function percentDecoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return ' ';
  }
}
