/**
 * @returns a promise that resolves once everything that the event loop has ready has been handled:
 *   the moment to do once for all of it what would be costly to do for each
 */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
