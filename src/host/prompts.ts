/** Questions to a person, drawn or in plain mode; what asks them is loaded with the first one. */
import type { Output, Prompts } from './host.ts';

/** @param interrupted takes a question back */
export function createPrompts(stderr: Output, interrupted: AbortSignal): Prompts {
  let asking: Promise<Prompts> | undefined;
  const prompts = () => {
    asking ??= load(stderr, interrupted);
    return asking;
  };
  return {
    text: async (...question) => (await prompts()).text(...question),
    hidden: async (...question) => (await prompts()).hidden(...question),
    choose: async (...question) => (await prompts()).choose(...question),
    confirm: async (...question) => (await prompts()).confirm(...question),
  };
}

async function load(stderr: Output, interrupted: AbortSignal): Promise<Prompts> {
  if (stderr.isPlain) {
    const { createPlainPrompts } = await import('./prompts/plain-prompts.ts');
    return createPlainPrompts(process.stdin, stderr, interrupted);
  }
  const { createDrawnPrompts } = await import('./prompts/drawn-prompts.ts');
  return createDrawnPrompts(interrupted);
}
