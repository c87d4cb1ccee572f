// A server made with the official SDK that offers what the official suite looks for: `node sdk-server.mjs both http`.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { addAskingTools } from './asking-tools.mjs';
import { addContentTools } from './content-tools.mjs';
import { serveHttp } from './http-doors.mjs';
import { addOffers } from './offers.mjs';
import { addRoundTools, stateCodec } from './round-tools.mjs';

const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  logging: {},
  completions: {},
};

const announceOnConnection = (area, server) =>
  area === 'tools' ? server.sendToolListChanged() : server.sendPromptListChanged();

const makeServer = ({ announce = announceOnConnection, breakStream = () => undefined } = {}) => {
  const server = new McpServer(
    { name: 'sdk-conformance', version: '1.0.0' },
    { capabilities, requestState: { verify: (...given) => stateCodec.verify(...given) } },
  );
  addContentTools(server, { announce, breakStream });
  addAskingTools(server);
  addRoundTools(server);
  addOffers(server);
  return server;
};

const [eras = 'both', transport = 'http'] = process.argv.slice(2);
if (transport !== 'stdio') serveHttp(makeServer, { transport, eras });
else if (eras === 'legacy') await makeServer().connect(new StdioServerTransport());
else serveStdio(() => makeServer(), { legacy: eras === 'modern' ? 'reject' : 'serve' });
