/** What has no types of its own. */
declare module 'pgpass' {
  export default function pgpass(
    connection: { host: string; port: number; database: string; user: string },
    give: (password: string | undefined) => void,
  ): void;
}

declare module 'pg/lib/client.js' {
  import { Client } from 'pg';
  export default Client;
}
