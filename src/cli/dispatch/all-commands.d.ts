/** The definitions of src/commands by oclif's ids, for example `purchase:get`; made by rolldown.config.mjs. */
declare module 'gw:commands' {
  const definitions: Readonly<Record<string, import('./command.ts').CommandDefinition>>;
  export default definitions;
}
