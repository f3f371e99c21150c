/** gw's variables that hold a secret. No other program receives them, and no output shows them. */
export const SECRET_VARIABLES: readonly string[] = ['GW_API_TOKEN', 'GW_LISTEN_PASSWORD'];

/** Ways to give credentials without a keychain, as the end of a sentence. */
export const WAYS_WITHOUT_KEYCHAIN =
  'set GW_USERNAME, GW_API_TOKEN, GW_BASE_URL and GW_ENVIRONMENT, or give the profile a --credential-command (`gw profile set`)';
