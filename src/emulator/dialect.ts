/**
 * The two dialects of the embedded gateway. The interface's text says what is sent and answered, and
 * not what else is tolerated.
 *
 * - `deployed` takes what deployments take and adds to answers what they add.
 * - `strict` is the text to the letter, for integrators who want to know whether their client keeps to it.
 *
 * It is a part of the gateway's state, so that both of its doors agree.
 */
export const DIALECTS = ['deployed', 'strict'] as const;

export type Dialect = (typeof DIALECTS)[number];

export const DEFAULT_DIALECT: Dialect = 'deployed';
