import type { SessionKeeping } from '@plugboard/contract';
import { META_KEY } from '@plugboard/wire';
import { expect } from 'vitest';
import type { FlowWatch } from '../call/flow-watch.js';
import { createGateway, type Gateway } from '../gateway.js';
import type { StepOptions } from '../pipeline/step-options.js';
import { UpstreamPool } from '../connection/upstream-pool.js';
import { catalogueOf, sampleServer, sampleTool } from './catalogue.js';
import { type MemoryAnswer, memoryHttp } from './memory-http.js';
import { RecordingClient, type Recorded, type RecordingClientOptions } from './recording-client.js';

type Fields = Record<string, string>;
/** Undefined leaves a field out. */
type SentFields = Readonly<Record<string, string | undefined>>;

const files = sampleServer('files', 1);

const rpc = (method: string, params: object = {}, id: number | string = 1) => ({ jsonrpc: '2.0', id, method, params });

const modern = (method: string, params: object = {}, headers: Fields = {}) => {
  const meta = { [META_KEY.protocolVersion]: '2026-07-28', [META_KEY.clientCapabilities]: {} };
  const name = 'name' in params ? { 'mcp-name': String(params.name) } : {};
  return {
    body: rpc(method, { ...params, _meta: meta }),
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name, ...headers },
  };
};

const ended = async (answer: MemoryAnswer): Promise<MemoryAnswer> => {
  await expect.poll(() => answer.response.writableEnded || answer.response.destroyed).toBe(true);
  return answer;
};

/** What a whole initialize says. */
export const greeting = (protocolVersion: string) => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 'c', version: '1' },
});

/** A gateway with one server, `files`, and its MCP endpoints in memory. The caller closes the gateway. */
export const openEndpoints = (
  answer: (asked: Recorded) => unknown = () => ({ content: [] }),
  options: RecordingClientOptions = {},
  steps?: StepOptions,
  flows?: FlowWatch,
  keepSessions?: SessionKeeping,
) => {
  const upstream = new UpstreamPool({ idleMs: 1000, makeClient: () => new RecordingClient(answer, options) });
  const gateway: Gateway = createGateway({
    identity: { name: 'plugboard', version: '1' },
    catalogue: catalogueOf([{ server: files, tools: [sampleTool(files, 'read')] }]),
    upstream,
    ready: async () => ({ status: 'ready', store: 'ok', servers: {}, services: {} }),
    uptimeMs: () => 0,
    onInternalError: () => undefined,
    steps,
    flows,
    keepSessions,
    bodyLimits: { maxBytes: 2000, deadlineMs: 1000 },
  });
  const send = memoryHttp(gateway.mcp);
  const post = (body: unknown, headers: SentFields = {}, path = '/mcp'): Promise<MemoryAnswer> =>
    ended(send(path, { body, headers }));
  const open = async (version = '2025-11-25'): Promise<Fields> => {
    const opened = await post(rpc('initialize', greeting(version)));
    return { 'mcp-session-id': /mcp-session-id: (\S+)/u.exec(opened.text())?.[1] ?? '' };
  };
  /** A client of HTTP+SSE: what it has heard so far, and where it sends its messages. */
  const openSse = async () => {
    const stream = send('/servers/files/sse', { method: 'GET' });
    await expect.poll(() => stream.text()).toContain('event: endpoint');
    const path = /data: (\S+)/u.exec(stream.text())?.[1] ?? '';
    return { stream, path, tell: (body: unknown, headers: SentFields = {}) => post(body, headers, path) };
  };
  return { gateway, upstream, send, post, rpc, open, openSse, modern, ended };
};
