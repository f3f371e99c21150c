/**
 * @returns a promise that resolves once everything that is ready to be handled now has been: the
 *   moment to do once for all of it what would be costly to do for each
 */
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
