/** Header of every answer of the embedded gateway: which dialect answered. No other gateway has it. */
export const DIALECT_HEADER = 'x-gw-dialect';
