/**
 * HTML of gw's own pages. Every value in a template is escaped, unless it is HTML itself, so what a customer or a gateway
 * wrote is shown and never run.
 */
import { neutralise } from '../../host/redaction/safe.ts';

/** HTML that a template made. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** null is nothing. */
export type HtmlValue = string | number | bigint | Html | readonly Html[] | null;

/** @returns the template, with its values escaped */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const texts = values.map((value, n) => textOf(value) + (parts[n + 1] ?? ''));
  return new Html((parts[0] ?? '') + texts.join(''));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Most values are: a page of rows takes half the time. */
const PLAIN = /^[\w .,:@+/()-]*$/;

function textOf(value: HtmlValue): string {
  if (value === null) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  const text = String(value);
  if (PLAIN.test(text)) return text;
  return neutralise(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
