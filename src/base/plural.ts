/** @returns the word that goes with a number: `entry` with 1, `entries` with any other */
export function plural(n: number | bigint, one: string, many: string): string {
  return Number(n) === 1 ? one : many;
}

/** @returns for example `1,980` */
export function count(n: number | bigint): string {
  return n.toLocaleString('en-US');
}
