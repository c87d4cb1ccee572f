// A server of the official SDK 1.x that offers more to whoever has logged in, in that session only.
import { pathToFileURL } from 'node:url';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

const text = (text) => ({ content: [{ type: 'text', text }] });
const prompt = (text) => ({ messages: [{ role: 'user', content: { type: 'text', text } }] });
const note = (uri, text) => ({ contents: [{ uri, text }] });

export const loginServer = () => {
  const server = new McpServer({ name: 'login', version: '1.0.0' });
  const guest = server.registerTool('guest', { description: 'Only for those who have not logged in' }, () =>
    text('guest'),
  );
  server.registerTool('plain', { description: 'For everybody' }, () => text('plain'));
  server.registerTool('login', { description: 'Logs in' }, () => {
    guest.remove();
    server.registerTool('secret', { description: 'Only for those who have logged in' }, () => text('secret'));
    server.registerPrompt('secret_prompt', { description: 'After the login' }, () => prompt('secret prompt'));
    server.registerResource('secret note', 'note://secret', {}, () => note('note://secret', 'secret note'));
    const template = new ResourceTemplate('secret://{name}', { list: undefined });
    server.registerResource('secret template', template, {}, (uri) => note(uri.href, 'secret template'));
    return text('welcome');
  });
  server.registerPrompt('open_prompt', { description: 'For everybody' }, () => prompt('open prompt'));
  server.registerResource('open note', 'note://open', {}, () => note('note://open', 'open note'));
  return server;
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await loginServer().connect(new StdioServerTransport());
}
