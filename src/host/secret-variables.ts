/** gw's variables that hold a secret. No other program receives them, and no output shows them. */
export const SECRET_VARIABLES: readonly string[] = [
  'GW_API_TOKEN',
  'GW_LISTEN_PASSWORD',
  'GW_FORWARD_PASSWORD',
];

/** @returns the environment of this process as other programs receive it */
export const environmentOfPrograms = (): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !SECRET_VARIABLES.includes(name)),
  );

/** Ways to give credentials without a keychain, as the end of a sentence. */
export const WAYS_WITHOUT_KEYCHAIN =
  'set GW_USERNAME, GW_API_TOKEN, GW_BASE_URL and GW_ENVIRONMENT, or give the profile a --credential-command (`gw profile set`)';
