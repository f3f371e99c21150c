/**
 * The parts of the protocol's own package that gw uses. The build makes it a file of its own (rolldown.config.mjs): in one bundle
 * with gw, whatever the package uses of what both load, such as zod, would be loaded by every command.
 */
export {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
export { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
