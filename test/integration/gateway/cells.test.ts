import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import type { Era } from '@plugboard/testing';
import { startRig } from './rig.js';

const INFO = { name: 'probe', version: '1.0.0' };
const CAPABILITIES = { capabilities: { elicitation: {}, sampling: {}, roots: {} } };
const SAMPLE = { role: 'assistant' as const, model: 'm', content: { type: 'text' as const, text: 'Paris' } };
const ROOTS = { roots: [{ uri: 'file:///home' }] };

/** What both generations of the official client have in common, as far as it is needed here. */
interface Probe extends AsyncDisposable {
  call(name: string, args?: Record<string, unknown>, onprogress?: (progress: unknown) => void): Promise<unknown>;
  tools(): Promise<readonly string[]>;
}

const legacyProbe = async (url: URL): Promise<Probe> => {
  const client = new LegacyClient(INFO, CAPABILITIES);
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }));
  client.setRequestHandler(CreateMessageRequestSchema, () => SAMPLE);
  client.setRequestHandler(ListRootsRequestSchema, () => ROOTS);
  await client.connect(new LegacyTransport(url));
  return {
    call: (name, args = {}, onprogress) =>
      client.callTool({ name, arguments: args }, undefined, onprogress === undefined ? {} : { onprogress }),
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    [Symbol.asyncDispose]: () => client.close(),
  };
};

const modernProbe = async (url: URL): Promise<Probe> => {
  const client = new ModernClient(INFO, { ...CAPABILITIES, versionNegotiation: { mode: { pin: '2026-07-28' } } });
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
  client.setRequestHandler('sampling/createMessage', () => SAMPLE);
  client.setRequestHandler('roots/list', () => ROOTS);
  await client.connect(new ModernTransport(url));
  return {
    call: (name, args = {}, onprogress) =>
      client.callTool({ name, arguments: args }, onprogress === undefined ? {} : { onprogress }),
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    [Symbol.asyncDispose]: () => client.close(),
  };
};

const PROBES = { legacy: legacyProbe, modern: modernProbe };
const ERAS: readonly Era[] = ['legacy', 'modern'];
const CELLS = ERAS.flatMap((client) => ERAS.map((server) => [client, server] as const));

const textOf = (result: unknown): string => JSON.stringify((result as { content: unknown }).content);

describe.each(CELLS)('a %s client and a %s server', (client, server) => {
  it('list, call, progress, elicitation, sampling and roots', async () => {
    await using rig = await startRig({
      eras: server,
      tools: ['echo', 'progress', 'elicit', 'sample', 'roots', 'fail'],
    });
    await using probe = await PROBES[client](rig.url);
    expect(await probe.tools()).toEqual(['echo', 'progress', 'elicit', 'sample', 'roots', 'fail']);
    expect(textOf(await probe.call('echo', { text: 'hi' }))).toContain('hi');
    const progress: unknown[] = [];
    await probe.call('progress', { steps: 3 }, (each) => progress.push(each));
    expect(progress.length).toBeGreaterThanOrEqual(3);
    expect(textOf(await probe.call('elicit', { rounds: 2 }))).toContain('Ada');
    expect(textOf(await probe.call('sample'))).toContain('Paris');
    expect(textOf(await probe.call('roots'))).toContain('file:///home');
    await using merged = await PROBES[client](rig.merged);
    expect(textOf(await merged.call('fake__echo', { text: 'merged' }))).toContain('merged');
  });
});
