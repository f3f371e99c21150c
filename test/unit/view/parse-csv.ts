/** Reads CSV by the letter of RFC 4180, with LF or CRLF line ends; strict about quotes. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      for (at++; ; at++) {
        if (at >= text.length) throw new Error('unclosed quote');
        if (text[at] !== '"') cell += text[at];
        else if (text[at + 1] === '"') cell += text[at++];
        else break;
      }
      at++;
    } else {
      while (at < text.length && !/[,\r\n"]/.test(text[at] ?? '')) cell += text[at++];
    }
    row.push(cell);
    if (text[at] === ',') {
      at++;
      continue;
    }
    if (text[at] === '\r') at++;
    if (text[at] !== '\n') throw new Error(`line end expected at ${at}`);
    at++;
    rows.push(row);
    row = [];
  }
  return rows;
}
