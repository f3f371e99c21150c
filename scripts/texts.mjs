/**
 * Finds, in the text of a source file, every text that people read: sentences and phrases in string and
 * template literals, and the words under keys such as `header` and `label`. What belongs to
 * the program (SQL, names, paths, codes, whole command lines) is left out.
 */
import { parseAst } from 'rolldown/parseAst';

/** People read the values of these keys, even a single word. */
const KEYS_FOR_PEOPLE = ['description', 'header', 'heading', 'label', 'summary', 'title'];
/** Two words beside each other, or one and a value: `1 event`, `${n} events`. */
const PHRASE = /[A-Za-z]{2,}[,.:;]?(?: |$\{)|\} [A-Za-z]{2,}|^[A-Z][a-z]+\.$/;
const FOR_THE_PROGRAM =
  /^(?:gw |\$ )|\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|VALUES|WHERE|FROM|ORDER BY|GROUP BY|COLLATE|REFERENCES|ON CONFLICT|AND \w+(?: IS)? (?:NOT )?NULL)\b|^[\w/-]+$/;
/** These parts have no text for people: types, modules, keys. */
const SKIPPED_PARTS = {
  ImportDeclaration: ['source'],
  ExportNamedDeclaration: ['source'],
  ImportExpression: ['source'],
  Property: ['key'],
  MemberExpression: ['property'],
};

/**
 * @param {string} code a file of TypeScript
 * @returns {{ line: number, text: string }[]} its texts from top to bottom; the value in a template is
 *   written as in the source, `${count}`, and white space as one space
 */
export function textsOf(code) {
  /** @type {{ line: number, text: string }[]} */
  const found = [];
  /** @param {number} start @param {string} text @param {boolean} isMeant */
  const keep = (start, text, isMeant) => {
    const flat = text.replace(/\s+/g, ' ').trim();
    if (!isMeant && (!PHRASE.test(flat) || FOR_THE_PROGRAM.test(flat))) return;
    if (/[A-Za-z]/.test(flat))
      found.push({ line: code.slice(0, start).split('\n').length, text: flat });
  };
  /** @param {any} node @param {boolean} isMeant */
  const visit = (node, isMeant) => {
    if (Array.isArray(node)) for (const each of node) visit(each, isMeant);
    if (!hasTexts(node)) return;
    const text = textOf(node, code);
    if (text !== undefined) keep(node.start, text, isMeant);
    else for (const [key, part] of partsOf(node)) visit(part, key === 'value' && isForPeople(node));
  };
  visit(parseAst(code, { lang: 'ts' }).body, false);
  return found;
}

/** @param {any} node */
function hasTexts(node) {
  return typeof node?.type === 'string' && !/^TS.*(?:Type|Declaration|Keyword)$/.test(node.type);
}

/** @param {any} node */
function isForPeople({ type, key }) {
  return type === 'Property' && KEYS_FOR_PEOPLE.includes(key.name);
}

/** @param {any} node */
function partsOf(node) {
  const skipped = SKIPPED_PARTS[/** @type {keyof typeof SKIPPED_PARTS} */ (node.type)] ?? [];
  return Object.entries(node).filter(([key]) => node.computed || !skipped.includes(key));
}

/**
 * @param {any} node
 * @param {string} code
 * @returns {string | undefined} the text that a literal, a template or a sum of them is
 */
function textOf(node, code) {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type === 'TemplateLiteral') {
    return node.quasis
      .map((/** @type {any} */ { value }, /** @type {number} */ n) => {
        const inner = node.expressions[n];
        return inner ? `${value.cooked}\${${code.slice(inner.start, inner.end)}}` : value.cooked;
      })
      .join('');
  }
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
  const [left, right] = [textOf(node.left, code), textOf(node.right, code)];
  return left !== undefined && right !== undefined ? left + right : undefined;
}
