/** Text measured in terminal cells, exactly as the table library measures it. */
export type Measure = (text: string) => number;

/** Loads the measure, which brings a table of emoji with it. */
export async function loadMeasure(): Promise<Measure> {
  const { default: utils } = await import('cli-table3/src/utils.js');
  return utils.strlen;
}

/**
 * Cuts between what a reader sees as characters, so that no emoji is halved.
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
  return `${kept}…`;
}
