/**
 * A statement of both stores (store/sql.ts) as SQLite says it. This is all that is translated:
 *
 *   gw.NAME                    NAME: a file has nothing but the ledger
 *   = ANY (:names)             IN (SELECT value FROM json_each(:names)): a list is bound as JSON
 *   json_array_elements_text(x) AS t (value)
 *                              json_each(x) AS t: the rows of a list that is bound as JSON, or a column's
 *   x::type                    x: SQLite's values have their types, whatever the column's
 *   FOR UPDATE                 nothing: whoever writes to a file is alone
 *   comments                   one that begins with `sqlite` is SQL here, such as INDEXED BY
 *
 * The other way round, an engine that speaks PostgreSQL reads `rowid`, the order in which rows were
 * written, as its column `number`.
 */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [/\/\*sqlite ([^*]+)\*\//g, '$1'],
  [/\bgw\.(?=[a-z_])/g, ''],
  [/= ANY \((:\w+)\)/g, 'IN (SELECT value FROM json_each($1))'],
  [/::[a-z0-9]+(?:\[\])?/g, ''],
  [
    /(?:\bLATERAL )?\bjson_array_elements_text\(([:.\w]+)\) AS (\w+) \(value\)/g,
    'json_each($1) AS $2',
  ],
  [/\bFOR UPDATE\b/g, ''],
];

/** @param text without a text literal that one of the forms is in */
export function fromPostgres(text: string): string {
  return FORMS.reduce((sql, [form, here]) => sql.replace(form, here), text);
}
