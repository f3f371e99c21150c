/** @returns the value where it is a text that says something, else null */
export function said(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
