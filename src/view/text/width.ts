/**
 * Text measured in terminal cells, and cut to fit into some.
 *
 * What is beside a letter takes no cell of its own: combining marks of all scripts, joiners, zero-width spaces. An
 * emoji of several characters (a family, a flag, a keycap) takes two. All else is as wide as the table library has it.
 */
import type { Output } from '../../host/host.ts';

export type Measure = (text: string) => number;

/** What text is laid out for. */
export interface Canvas extends Pick<Output, 'columns' | 'color' | 'blocks' | 'isPlain'> {
  measure: Measure;
}

const PLAIN = /^[ -~]*$/;
const EMOJI =
  /^(?:\p{Emoji_Presentation}|\p{Regional_Indicator}{2}|[\d#*]\ufe0f?\u20e3|\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier}))/u;
/** A soft hyphen is shown by terminals; vowels and finals of Hangul stand within the cells of what is before them. */
const WITHOUT_CELLS =
  /^(?!\u00ad)[\p{Mn}\p{Me}\p{Cf}\p{Default_Ignorable_Code_Point}\u1160-\u11ff]$/u;

/** Loads the measure, which brings a table of wide characters with it. */
export async function loadMeasure(): Promise<Measure> {
  const { default: utils } = await import('cli-table3/src/utils.js');
  // Made when it is needed: it takes longer than most tables.
  let segmenter: Intl.Segmenter | undefined;
  const cellsOf = (character: string) =>
    WITHOUT_CELLS.test(character) ? 0 : utils.strlen(character);
  return (text) => {
    if (PLAIN.test(text)) return text.length;
    let cells = 0;
    segmenter ??= new Intl.Segmenter();
    for (const { segment } of segmenter.segment(text)) {
      if (EMOJI.test(segment)) cells += 2;
      else for (const character of segment) cells += cellsOf(character);
    }
    return cells;
  };
}

/**
 * Cuts between words, and within the first one where that alone is too long; never within what a reader sees as one
 * character.
 * @param text neutralised text
 * @returns the text in at most `cells` cells, ending with … where something was cut off
 */
export function fitInto(text: string, cells: number, measure: Measure): string {
  if (measure(text) <= cells) return text;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (measure(kept + segment) > cells - 1) break;
    kept += segment;
  }
  const isBetween = text[kept.length] === ' ';
  const words = isBetween ? kept : kept.slice(0, Math.max(0, kept.lastIndexOf(' ')));
  return `${words.replace(/(?<![\s,;:(/-])[\s,;:(/-]+$/, '') || kept}…`;
}

/** @returns the cells of the widest text */
export function widest(texts: readonly string[], measure: Measure): number {
  return texts.reduce((most, text) => Math.max(most, measure(text)), 0);
}

/** @returns the cells of the longest word */
export function longestWord(text: string, measure: Measure): number {
  return widest(text.split(' '), measure);
}
