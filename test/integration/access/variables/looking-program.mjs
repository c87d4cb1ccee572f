// A server with the tool `look` that tells how its program was started: over stdio, or over HTTP on $PORT if that is set.
// Every message is noted in the file $NOTES.
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const { NAME, NOTES, SPOT, PORT } = process.env;
const facts = JSON.stringify([process.argv0, process.argv.slice(2), SPOT ?? '', process.cwd()]);
const tools = [{ name: 'look', inputSchema: { type: 'object', properties: {} } }];
const serverInfo = { name: 'looking', version: '1' };
const results = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {}, resources: {} }, serverInfo },
  ping: {},
  'tools/list': { tools },
  'tools/call': { content: [{ type: 'text', text: facts }] },
  'resources/list': { resources: [] },
  'resources/templates/list': { resourceTemplates: [] },
};

const answerTo = (text) => {
  const { id, method } = JSON.parse(text);
  appendFileSync(NOTES, `${JSON.stringify({ server: NAME, method, with: facts })}\n`);
  if (id === undefined) return undefined;
  const result = results[method];
  const said = result === undefined ? { error: { code: -32_601, message: `no method ${method}` } } : { result };
  return JSON.stringify({ jsonrpc: '2.0', id, ...said });
};

if (PORT === undefined) {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const told = answerTo(line);
    if (told !== undefined) process.stdout.write(`${told}\n`);
  });
} else {
  createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const told = answerTo(text);
      if (told === undefined) return void response.writeHead(202).end();
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(told);
    });
  }).listen(Number(PORT), '127.0.0.1');
}
