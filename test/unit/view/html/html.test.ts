/** A page shows the texts of people and gateways, and never runs them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { html } from '../../../../src/view/html/html.ts';

test('a value is escaped, and HTML of a template is not', () => {
  const inner = html`<b>${'<i>'}</b>`;
  expect(html`<p title="${`"'&`}">${inner}${[inner, inner]}${1}${2n}${null}</p>`.text).toBe(
    '<p title="&quot;&#39;&amp;"><b>&lt;i&gt;</b><b>&lt;i&gt;</b><b>&lt;i&gt;</b>12</p>',
  );
});

test('no text opens a tag, an attribute or an entity', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { text: written } = html`${text}`;
      expect(written).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
    }),
  );
});
