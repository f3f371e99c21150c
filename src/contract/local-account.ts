/** The embedded gateway, as a client knows it. */

/** Its account that `--profile local` uses. */
export const LOCAL_CREDENTIALS = { username: 'TEST', api_token: 'TEST' } as const;

/** Header of every answer of the embedded gateway: which dialect answered. No other gateway has it. */
export const DIALECT_HEADER = 'x-gw-dialect';
