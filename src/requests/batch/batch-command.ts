/** @param operation its name. @returns the command of its batches, as it is typed after `gw`: `refund batch` */
export function batchCommand(operation: string): string {
  return `${operation.replace(/ create$/, '')} batch`;
}
