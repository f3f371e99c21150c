/**
 * The definitions of src/commands by oclif's ids, for example `purchase:get`; rolldown.config.mjs makes this module.
 */
declare module 'gw:commands' {
  const definitions: Readonly<Record<string, import('./command.ts').CommandDefinition>>;
  export default definitions;
}
