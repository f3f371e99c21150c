/** @returns the text with a capital first */
export function capitalised(text: string): string {
  return text.replace(/^./u, (letter) => letter.toUpperCase());
}
