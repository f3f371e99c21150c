/** What is written to a stream, before it gets there. */

/**
 * Everything that is written to the stream passes `scrub` first, whoever writes it: gw, oclif, a prompt,
 * and what a library or Node itself prints for debugging. A write has to hold whole what is looked for.
 */
export function guardStream(
  stream: Pick<NodeJS.WritableStream, 'write'>,
  scrub: (text: string) => string,
): void {
  const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
  stream.write = (chunk: unknown, ...rest: unknown[]): boolean => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString();
    const scrubbed = scrub(text);
    return write(scrubbed === text ? chunk : scrubbed, ...rest);
  };
}
