/** What has no types of its own. */
declare module 'pgpass' {
  export default function pgpass(
    connection: { host: string; port: number; database: string; user: string },
    give: (password: string | undefined) => void,
  ): void;
}

declare module 'pg/lib/client.js' {
  import { Client } from 'pg';
  export default class extends Client {
    /** Names of settings and their values, sent to the server when a session begins. */
    getStartupConf(): Record<string, string>;
  }
}
