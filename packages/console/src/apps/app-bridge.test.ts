import { beforeEach, describe, expect, it } from 'vitest';
import { AppBridge, type AppHost } from './app-bridge.js';

let sent: {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { code: number };
}[];
let did: string[];
let bridge: AppBridge;

const host: AppHost = {
  callTool: async (name, args) => {
    if (name === 'refused') throw new Error('You declined.');
    return { content: [], called: name, args };
  },
  readResource: async (uri) => ({ contents: [{ uri }] }),
  openLink: async (url) => void did.push(`link ${url}`),
  resize: (height) => void did.push(`height ${height}`),
  log: (text) => void did.push(text),
};

const ask = async (method: string, params: object = {}): Promise<(typeof sent)[number] | undefined> => {
  const id = sent.length + 100;
  bridge.receive({ jsonrpc: '2.0', id, method, params });
  await new Promise((resolve) => setTimeout(resolve));
  return sent.find((message) => message.id === id);
};

beforeEach(() => {
  sent = [];
  did = [];
  bridge = new AppBridge({ host, send: (message) => void sent.push(message), context: { theme: 'dark' } });
});

describe('the bridge to an app', () => {
  it('says nothing before the app is initialized, and everything in its order then', async () => {
    bridge.notify('ui/notifications/tool-input', { arguments: { a: 1 } });
    expect(sent).toEqual([]);
    expect((await ask('ui/initialize'))?.result).toMatchObject({
      protocolVersion: '2026-01-26',
      hostContext: { theme: 'dark' },
    });
    bridge.receive({ jsonrpc: '2.0', method: 'ui/notifications/initialized' });
    bridge.notify('ui/notifications/tool-result', { content: [] });
    expect(sent.slice(1).map(({ method }) => method)).toEqual([
      'ui/notifications/tool-input',
      'ui/notifications/tool-result',
    ]);
  });

  it('passes on calls, reads and links, and tells what was refused', async () => {
    expect((await ask('tools/call', { name: 'a', arguments: { b: 1 } }))?.result).toMatchObject({ args: { b: 1 } });
    expect((await ask('tools/call', { name: 'refused' }))?.error).toMatchObject({ message: 'You declined.' });
    expect((await ask('resources/read', { uri: 'a:/' }))?.result).toEqual({ contents: [{ uri: 'a:/' }] });
    expect((await ask('ui/open-link', { url: 'https://a.example' }))?.result).toEqual({});
    expect((await ask('ui/request-display-mode', { mode: 'fullscreen' }))?.result).toEqual({ mode: 'inline' });
    expect((await ask('ui/message'))?.error?.code).toBe(-32_000);
    bridge.receive({ jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { height: 40 } });
    bridge.receive({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'error', data: 'x' } });
    expect(did).toEqual(['link https://a.example', 'height 40', 'error: x']);
  });

  it.each(['tools/list', 'prompts/get', 'initialize', 'ui/notifications/sandbox-proxy-ready', '__proto__'])(
    'does not know %s',
    async (method) => {
      expect((await ask(method))?.error?.code).toBe(-32_601);
    },
  );

  it('ignores what is no message', () => {
    for (const message of [
      null,
      'x',
      [],
      {},
      { jsonrpc: '1.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: {}, method: 'ping' },
    ]) {
      bridge.receive(message);
    }
    expect(sent).toEqual([]);
  });

  it('refuses an app that asks for too much at once', async () => {
    const never = new AppBridge({
      host: { ...host, callTool: () => new Promise(() => undefined) },
      send: (message) => void sent.push(message),
      context: {},
    });
    for (let id = 1; id <= 10; id += 1) {
      never.receive({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'a' } });
    }
    await new Promise((resolve) => setTimeout(resolve));
    expect(sent.map(({ id, error }) => [id, error?.code])).toEqual([
      [9, -32_000],
      [10, -32_000],
    ]);
  });
});
