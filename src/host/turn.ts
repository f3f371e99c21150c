/**
 * @returns a promise that resolves once everything that is ready now has been handled. A caller can then do expensive
 *   work once for all of it.
 */
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
