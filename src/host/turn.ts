/** @returns a promise of the moment when everything that is ready to be handled now has been */
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
