/** Types for packages that have none. */
declare module 'pg/lib/client.js' {
  import { Client } from 'pg';
  export default class extends Client {
    /** Settings, with their values, that the client sends when a session begins. */
    getStartupConf(): Record<string, string>;
  }
}
