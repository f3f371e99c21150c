/** The embedded gateway, as a client knows it. */

/** Its account that `--profile local` uses. */
export const LOCAL_CREDENTIALS = { username: 'TEST', api_token: 'TEST' } as const;

/** Header of every answer of the embedded gateway: which dialect answered. No other gateway has it. */
export const DIALECT_HEADER = 'x-gw-dialect';

/**
 * Its two dialects. The interface's text says what is sent and answered, and not what else is tolerated.
 *
 * - `deployed` takes what deployments take and adds to answers what they add.
 * - `strict` is the text to the letter, for integrators who want to know whether their client keeps to it.
 *
 * It is a part of the gateway's state, so that both of its doors agree.
 */
export const DIALECTS = ['deployed', 'strict'] as const;

export type Dialect = (typeof DIALECTS)[number];

export const DEFAULT_DIALECT: Dialect = 'deployed';
