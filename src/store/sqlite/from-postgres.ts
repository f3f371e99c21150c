/**
 * Translates a statement for both stores (store/sql.ts) to SQLite. It translates only:
 *
 *   gw.NAME                    NAME: a file has nothing but the ledger
 *   = ANY (:names)             IN (SELECT value FROM json_each(:names)): a list is bound as JSON
 *   json_array_elements_text(x) AS t (value)
 *                              json_each(x) AS t: the rows of a list bound as JSON, or of a column
 *   (x = :y OR x IS NULL AND :y::type IS NULL)
 *                              x IS :y: an index of the server supports nothing shorter
 *   x::type                    x: SQLite's values carry their types, whatever the column's type
 *   now()                      :now, which the caller must give: a file has no clock of its own
 *   FOR UPDATE                 nothing: a file has one writer at a time
 *   comments                   a comment that begins with `sqlite` becomes SQL, such as INDEXED BY
 *
 * In the other direction, PostgreSQL reads `rowid`, the order in which rows were written, from its column `number`.
 */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [/\/\*sqlite ([^*]+)\*\//g, '$1'],
  [/\bgw\.(?=[a-z_])/g, ''],
  [/= ANY \((:\w+)\)/g, 'IN (SELECT value FROM json_each($1))'],
  [/\((\w+) = (:\w+) OR \1 IS NULL AND \2::\w+ IS NULL\)/g, '$1 IS $2'],
  [/::[a-z0-9]+(?:\[\])?/g, ''],
  [
    /(?:\bLATERAL )?\bjson_array_elements_text\(([:.\w]+)\) AS (\w+) \(value\)/g,
    'json_each($1) AS $2',
  ],
  [/\bnow\(\)/g, ':now'],
  [/\bFOR UPDATE\b/g, ''],
];

/** @param text must not contain one of the forms inside a text literal */
export function fromPostgres(text: string): string {
  return FORMS.reduce((sql, [form, here]) => sql.replace(form, here), text);
}
