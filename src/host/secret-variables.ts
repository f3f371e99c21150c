/** Variables of gw that hold a secret: no other program is given them, and no output shows them. */
export const SECRET_VARIABLES: readonly string[] = ['GW_API_TOKEN', 'GW_LISTEN_PASSWORD'];
