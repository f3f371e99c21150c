/** `--debug`: every request and what came of it, on stderr, without its secrets. */

import type { Output } from '../../host/host.ts';
import type { Redactor } from '../../host/redaction/redactor.ts';
import { renderRequest, renderResponse } from '../../view/text/debug.ts';
import type { Trace } from '../exchange/exchange.ts';

export function createTrace(stderr: Output, redactor: Redactor): Trace {
  const show = (text: string) => void stderr.write(text);
  return {
    request({ method, url, headers, body }, attempt) {
      if (attempt > 0) show(`> again, ${attempt} of 3 repeats\n`);
      show(renderRequest({ method, url: url.href, headers, body }, redactor));
    },
    reply: (reply, durationMs) => show(renderResponse({ ...reply, durationMs }, redactor)),
    lost: (error, durationMs) =>
      show(
        `< no answer: ${error.message}, ${error.sent ? 'after' : 'before'} it was sent, in ${durationMs} ms\n`,
      ),
  };
}
