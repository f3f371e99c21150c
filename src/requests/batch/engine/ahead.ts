/**
 * Lines that come soon are asked about already, so that a ledger on a server answers for many of them at
 * once: one after the other would be a round trip for each. What becomes of them in between is found out
 * when they are sent, which is decided by the ledger.
 */
import type { Line, LineResult } from './batch.ts';

const MAX_AHEAD = 32;

type LineLookUp = (line: Line) => Promise<LineResult | undefined>;

/** @returns the same lines, and what answers about each: at first what was asked ahead */
export function lookAhead(
  lines: Iterable<Line>,
  lookUp: LineLookUp,
): { lines: AsyncIterable<Line>; lookUp: LineLookUp } {
  const asked = new Map<Line, ReturnType<LineLookUp>>();
  return {
    lines: ahead(lines, (line) => {
      const answer = lookUp(line);
      // Thrown when it is asked for.
      answer.catch(() => undefined);
      asked.set(line, answer);
    }),
    lookUp(line) {
      const answer = asked.get(line) ?? lookUp(line);
      asked.delete(line);
      return answer;
    },
  };
}

async function* ahead(lines: Iterable<Line>, ask: (line: Line) => void): AsyncGenerator<Line> {
  const waiting: Line[] = [];
  for (const line of lines) {
    ask(line);
    waiting.push(line);
    const next = waiting.length > MAX_AHEAD ? waiting.shift() : undefined;
    if (next) yield next;
  }
  yield* waiting;
}
