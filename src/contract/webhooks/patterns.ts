/**
 * Patterns of event names. `*` stands for any text, even none; any other character stands for itself.
 *
 *     charge:*     charge:retry, charge:failed, …
 *     *:expir*     card:expiring, card:expired
 */

/** @returns whether a name fits one of the patterns; any name fits if there are none */
export function matcher(patterns: readonly string[]): (name: string) => boolean {
  if (patterns.length === 0) return () => true;
  return (name) => patterns.some((pattern) => fits(pattern.split('*'), name));
}

/** @returns the pattern as an SQLite GLOB, with brackets around characters that GLOB would interpret */
export function globOf(pattern: string): string {
  return pattern.replace(/[?[]/g, '[$&]');
}

/** Takes time linear in the name per part, so a pattern with many stars cannot slow it down. */
function fits(parts: readonly string[], name: string): boolean {
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
