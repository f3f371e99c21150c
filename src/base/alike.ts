/** Signs that people mistake for one another when they read an id aloud or copy it by hand. */
const ALIKE = ['0o', '1il'];

/**
 * @param text in small letters
 * @returns the texts that look like it, those with the fewest other signs first, at most so many; without the text itself
 */
export function alikeTexts(text: string, most: number): string[] {
  const all = new Set([text]);
  // A set also yields what is added to it meanwhile.
  for (const one of all)
    for (const [at, sign] of [...one].entries())
      for (const other of ALIKE.find((signs) => signs.includes(sign)) ?? '') {
        if (all.size > most) return [...all].slice(1);
        all.add(one.slice(0, at) + other + one.slice(at + 1));
      }
  return [...all].slice(1);
}
