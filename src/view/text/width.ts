/** Measures text in terminal cells, as the table library does, and cuts it to fit. */
import type { Output } from '../../host/host.ts';

export type Measure = (text: string) => number;

/** The output for which text is laid out. */
export interface Canvas extends Pick<Output, 'columns' | 'color' | 'blocks' | 'isPlain'> {
  measure: Measure;
}

/** Loads the measure with its table of wide characters. */
export async function loadMeasure(): Promise<Measure> {
  const { default: stringWidth } = await import('string-width');
  return stringWidth;
}

/**
 * Cuts a text, but never inside what a reader sees as one character.
 * @param text neutralised text
 * @returns the text in at most `cells` cells, ending with … if something was cut off
 */
export function fitInto(text: string, cells: number, measure: Measure): string {
  if (measure(text) <= cells) return text;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (measure(kept + segment) > cells - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** @returns the cells of the widest text */
export function widest(texts: readonly string[], measure: Measure): number {
  return texts.reduce((most, text) => Math.max(most, measure(text)), 0);
}
