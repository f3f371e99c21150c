/** The test gateway, from a client's point of view. */

/** The account that `--profile local` uses. */
export const LOCAL_CREDENTIALS = { username: 'TEST', api_token: 'TEST' } as const;

/** Header in every answer of the test gateway that names its dialect. No other gateway sends it. */
export const DIALECT_HEADER = 'x-gw-dialect';

/**
 * The dialects of the test gateway. The interface's text says what is sent and answered, but not what else is
 * tolerated.
 *
 * - `deployed` accepts what deployments accept, and adds to answers what they add.
 * - `strict` follows the text to the letter, for integrators who test whether their client does.
 *
 * The dialect is stored with the data, so the gateway behaves the same in this process and over HTTP.
 */
export const DIALECTS = ['deployed', 'strict'] as const;

export type Dialect = (typeof DIALECTS)[number];

export const DEFAULT_DIALECT: Dialect = 'deployed';
