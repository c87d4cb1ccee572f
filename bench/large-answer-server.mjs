// A legacy server with an answer of many megabytes: over stdio when it is run, or for programs that import it.
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const tools = ['large', 'small'].map((name) => ({ name, inputSchema: { type: 'object' } }));
const serverInfo = { name: 'large', version: '1' };

export const answerTo = ({ id, method, params }, megabytes) => {
  const answer = (result) => JSON.stringify({ jsonrpc: '2.0', id, result });
  if (method === 'initialize') {
    return answer({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo });
  }
  if (method === 'tools/list') return answer({ tools });
  if (method !== 'tools/call') {
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'no such method' } });
  }
  const text = params.name === 'large' ? 'large answer '.repeat((megabytes * 1e6) / 13) : 'small';
  return answer({ content: [{ type: 'text', text }] });
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.id !== undefined) process.stdout.write(`${answerTo(message, Number(process.argv[2]))}\n`);
  });
}
