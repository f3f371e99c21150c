/** The package has no types of its own. */
declare module 'pgpass' {
  export default function pgpass(
    connection: { host: string; port: number; database: string; user: string },
    give: (password: string | undefined) => void,
  ): void;
}
