/** Text measured in terminal cells, as the table library measures it, and cut to fit into some. */
import type { Output } from '../../host/host.ts';

export type Measure = (text: string) => number;

/** What text is laid out for. */
export interface Canvas extends Pick<Output, 'columns' | 'color' | 'blocks' | 'isPlain'> {
  measure: Measure;
}

/** Loads the measure, which brings a table of wide characters with it. */
export async function loadMeasure(): Promise<Measure> {
  const { default: stringWidth } = await import('string-width');
  return stringWidth;
}

/**
 * Cuts, but never within what a reader sees as one character.
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
  return `${kept.trimEnd()}…`;
}

/** @returns the cells of the widest text */
export function widest(texts: readonly string[], measure: Measure): number {
  return texts.reduce((most, text) => Math.max(most, measure(text)), 0);
}
