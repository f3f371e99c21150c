/**
 * YAML that a reader of YAML 1.1 and one of 1.2 take for the same: what could be read as anything but a text (`007`,
 * `no`, `2026-03-31`, `12:30`) is in quotes.
 */
import { Document, type ScalarTag, visit } from 'yaml';
import type { Json } from '../../base/json.ts';
import { escapeHidden } from '../../host/redaction/safe.ts';

const PLAIN = /^\p{L}(?:[\p{L}\p{M}\p{N}_ .@+-]*[\p{L}\p{M}\p{N}_])?$/u;
const WORDS = /^(?:y|yes|n|no|true|false|on|off|null)$/i;

/** YAML 1.1 takes a number with an exponent for a text where it has no point. */
const withExponent: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  // Nothing is read by it; without one the tag would not be asked.
  test: /(?!)/,
  identify: (value) => typeof value === 'number' && String(value).includes('e'),
  stringify: ({ value }) => String(value).replace(/^(-?\d+)e/, '$1.0e'),
  resolve: Number,
};

/** @returns lines, each with its end, that a terminal can show */
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
  // What is escaped here stands between quotes, where the escapes of JSON are those of YAML.
  return escapeHidden(document.toString({ lineWidth: 0 }));
}
