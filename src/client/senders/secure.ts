/** node:https, which loads TLS. */
export { request as openSecure } from 'node:https';
