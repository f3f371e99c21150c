/** Variables of gw that hold a secret: no other program is given them, and no output shows them. */
export const SECRET_VARIABLES: readonly string[] = ['GW_API_TOKEN', 'GW_LISTEN_PASSWORD'];

/** How credentials are given where there is no keychain, as the end of a sentence. */
export const WAYS_WITHOUT_KEYCHAIN =
  'set GW_USERNAME, GW_API_TOKEN, GW_BASE_URL and GW_ENVIRONMENT, or give the profile a credentialCommand (`gw profile set`)';
