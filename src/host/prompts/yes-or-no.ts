/** Answers to a yes or no, which has no default: an Enter alone sends and erases nothing. */

/** @returns true, or what to type */
export function checkYesOrNo(typed: string): string | true {
  return /^(?:y|yes|n|no)$/i.test(typed.trim()) || 'Answer y or n';
}

/** @param typed an answer that was checked */
export function isYes(typed: string): boolean {
  return /^y/i.test(typed.trim());
}
