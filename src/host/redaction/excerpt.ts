/** Makes a short excerpt of a body that is not an envelope, such as a proxy's error page. */
import { boundedText } from '../../base/text.ts';
import { answerJson } from '../../contract/envelope.ts';
import { redactJson, redactText } from './redact.ts';
import { cut, neutralise, toJson } from './safe.ts';

/** UTF-16 units of an excerpt. */
export const EXCERPT_LENGTH = 200;

/** Only this much of a body is examined. */
const SCANNED_LENGTH = 20_000;

/** @returns at most EXCERPT_LENGTH of the body's text on one line, without tags and secrets */
export function excerpt(body: string): string {
  // Redact before cutting, because half of a secret is not recognised.
  const text = withoutScripts(redactBody(body))
    .replace(/<!--[^<>]*-->|<[!/?a-z][^<>]*>/gi, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  // Redact again, for secrets that were split across tags.
  return cut(neutralise(redactText(text, 'foreign')), EXCERPT_LENGTH);
}

function redactBody(body: string): string {
  const value = answerJson(body);
  if (value !== undefined) {
    return toJson(redactJson(value, 'foreign')).slice(0, SCANNED_LENGTH);
  }
  return redactText(boundedText(body, SCANNED_LENGTH), 'foreign');
}

/** @returns the page without scripts and styles; one that does not end runs to the end of the page */
function withoutScripts(page: string): string {
  let open: string | undefined;
  const parts = page.split(/(<\/?(?:script|style)\b[^<>]*>)/i).map((part, i) => {
    const isTag = i % 2 > 0;
    const [, slash, name = ''] = (isTag && /^<(\/?)(\w+)/.exec(part.toLowerCase())) || [];
    if (open === undefined && slash === '') open = name;
    else if (open === undefined) return part;
    else if (slash === '/' && name === open) open = undefined;
    return isTag ? ' ' : '';
  });
  return parts.join('');
}
