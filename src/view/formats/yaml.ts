/**
 * YAML that readers of version 1.1 and 1.2 read alike. A text that could be read as something else (`007`, `no`,
 * `2026-03-31`, `12:30`) is quoted.
 */
import { Document, type ScalarTag, visit } from 'yaml';
import { isWrittenNumber, type Json, withoutMark } from '../../base/json.ts';
import { escapeHidden } from '../../host/redaction/safe.ts';

const PLAIN = /^\p{L}(?:[\p{L}\p{M}\p{N}_ .@+-]*[\p{L}\p{M}\p{N}_])?$/u;
const WORDS = /^(?:y|yes|n|no|true|false|on|off|null)$/i;

/** YAML 1.1 reads a number with an exponent as text unless it has a point. */
const withExponent: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  // This matches nothing, because nothing is parsed; without a test the library ignores the tag.
  test: /(?!)/,
  identify: (value) =>
    typeof value === 'number' ? String(value).includes('e') : isWrittenNumber(value),
  stringify: ({ value }) => withoutMark(String(value)).replace(/^(-?\d+)e/i, '$1.0e'),
  resolve: Number,
};

/** @returns lines with their line ends, safe for a terminal */
export function toYaml(value: Json): string {
  const document = new Document(value, {
    aliasDuplicateObjects: false,
    customTags: (tags) => [withExponent, ...tags],
  });
  visit(document, {
    Scalar(_, node) {
      const { value: text } = node;
      if (typeof text !== 'string') return;
      node.type = PLAIN.test(text) && !WORDS.test(text) ? 'PLAIN' : 'QUOTE_DOUBLE';
    },
  });
  // Escaped characters stand between quotes, where YAML has the same escapes as JSON.
  return escapeHidden(document.toString({ lineWidth: 0 }));
}
