/** The table library's own measure of text; the library's types leave it out. */
declare module 'cli-table3/src/utils.js' {
  const utils: { strlen(text: string): number };
  export default utils;
}
