/** The account of the embedded gateway that `--profile local` uses. */
export const LOCAL_CREDENTIALS = { username: 'TEST', api_token: 'TEST' } as const;
