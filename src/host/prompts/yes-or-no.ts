/** What counts as an answer to a question of yes or no: nothing that was typed for something else. */

/** @returns true, or what to type */
export function checkYesOrNo(typed: string): string | true {
  return /^(?:y|yes|n|no)?$/i.test(typed.trim()) || 'Answer y or n';
}

/** @param typed an answer that was checked. @param initial what an empty one means */
export function isYes(typed: string, initial: boolean): boolean {
  return typed.trim() === '' ? initial : /^y/i.test(typed.trim());
}
