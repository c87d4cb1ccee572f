import { describe, expect, test } from 'vitest';
import { checkTarget } from '../target/target.js';
import { scriptedServer, type Script } from '../test-support/scripted-server.js';
import type { RecordedMessage, Recording } from './recording.js';
import { replayAgainst, type ReplayOptions } from './replay-against.js';

type Exchanged = readonly [
  method: string,
  params: Record<string, unknown>,
  answer: Record<string, unknown> | undefined,
];

const recordingOf = (...exchanges: readonly Exchanged[]): Recording => ({
  label: 'old server',
  recordedAt: '2026-01-01T00:00:00.000Z',
  messages: exchanges.flatMap(([method, params, answer], id): RecordedMessage[] => [
    { at: id, from: 'client', message: { jsonrpc: '2.0', id, method, params } },
    ...(answer === undefined ? [] : [{ at: id, from: 'server' as const, message: { jsonrpc: '2.0', id, ...answer } }]),
  ]),
});

const opening: Exchanged = ['initialize', {}, { result: { protocolVersion: '2025-11-25' } }];
const call = (name: string, args = {}) => ({ name, arguments: args });
const text = (said: string) => ({ result: { content: [{ type: 'text', text: said }] } });

const replay = async (recording: Recording, script: Script, options: Partial<ReplayOptions> = {}) => {
  const server = scriptedServer(script);
  const target = checkTarget.parse({ command: ['new server'], env: { API_KEY: 's3cret-value' } });
  const report = await replayAgainst(recording, target, { version: '1.0.0', launch: server.launch, ...options });
  return { report, asked: server.asked, running: server.running() };
};

describe('a recording that is replayed against a server', () => {
  test('passes when the answers are the same; its opening and what was never answered are left out', async () => {
    const recording = recordingOf(
      opening,
      ['ping', {}, { result: {} }],
      ['tools/call', call('echo'), text('hi')],
      ['tools/call', call('lost'), undefined],
      ['resources/read', { uri: 'memo://1' }, { error: { code: -32_002, message: 'No such memo' } }],
      ['prompts/list', {}, { result: { prompts: [] } }],
    );
    const { report, asked, running } = await replay(recording, (method) => {
      if (method === 'tools/call') return text('hi');
      if (method === 'prompts/list') return { result: { prompts: [] } };
      return { error: { code: -32_002, message: 'The text of an error may change' } };
    });
    expect(asked.map(({ method }) => method)).toEqual(['tools/call', 'resources/read', 'prompts/list']);
    expect(report.results.map(({ id, title, verdict }) => [id, title, verdict])).toEqual([
      ['REPLAY-001', 'tools/call echo is answered as recorded', 'pass'],
      ['REPLAY-002', 'resources/read memo://1 is answered as recorded', 'pass'],
      ['REPLAY-003', 'prompts/list is answered as recorded', 'pass'],
    ]);
    expect([report.kind, report.target.label, report.outcome, running]).toEqual(['replay', 'old server', 'passed', 0]);
    expect(report.server).toMatchObject({ name: 'scripted' });
  });

  test('fails with the path that differs, unless that may differ', async () => {
    const recording = recordingOf(opening, ['tools/call', call('echo'), text('hi')]);
    const changed: Script = () => text('bye s3cret-value');
    const { report } = await replay(recording, changed);
    const [result] = report.results;
    expect([report.outcome, result?.verdict]).toEqual(['failed', 'fail']);
    expect(result?.problem).toBe('tools/call echo is answered differently');
    expect(result?.detail).toMatch(/^result\.content/u);
    expect(result?.evidence?.received).toContain('bye');
    expect(JSON.stringify(report)).not.toContain('s3cret-value');
    const ignored = await replay(recording, changed, { ignore: ['content*.text'] });
    expect(ignored.report.outcome).toBe('passed');
  });

  test('uses the ids that the new server gave', async () => {
    const [before, after] = ['0b2c7a5e-6a0e-4f0b-9a53-0d9f6f3c1a11', '7f1d3c9a-1f5e-4c55-8a51-93b7a2f0c222'];
    const recording = recordingOf(
      opening,
      ['tools/call', call('create'), { result: { content: [], structuredContent: { id: before } } }],
      ['tools/call', call('remove', { ids: [before], really: true }), text('removed')],
    );
    const { report, asked } = await replay(recording, (_method, { name }) =>
      name === 'create' ? { result: { content: [], structuredContent: { id: after } } } : text('removed'),
    );
    expect(report.outcome).toBe('passed');
    expect(asked[1]?.params['arguments']).toEqual({ ids: [after], really: true });
  });

  test('asks for the next page with the cursor of the new server', async () => {
    const page = (name: string, nextCursor?: string) => ({
      result: {
        tools: [{ name, inputSchema: { type: 'object' } }],
        ...(nextCursor === undefined ? {} : { nextCursor }),
      },
    });
    const recording = recordingOf(
      opening,
      ['tools/list', {}, page('a', '2')],
      ['tools/list', { cursor: '2' }, page('b')],
      ['tools/call', call('echo', { text: '2' }), text('2')],
    );
    const { report, asked } = await replay(recording, (method, { cursor }) => {
      if (method === 'tools/call') return text('2');
      if (cursor === undefined) return page('a', 'new cursor');
      return cursor === 'new cursor' ? page('b') : { error: { code: -32_602, message: 'Unknown cursor' } };
    });
    expect(report.outcome).toBe('passed');
    expect(asked[1]?.params).toMatchObject({ cursor: 'new cursor' });
    expect(asked[2]?.params).toMatchObject({ arguments: { text: '2' } });
  });

  test('is not examined when the server cannot be started, or the run was cancelled', async () => {
    const recording = recordingOf(opening, ['tools/call', call('echo'), text('hi')]);
    const { report } = await replay(recording, () => undefined, {
      launch: () => {
        throw new Error('no such program');
      },
    });
    expect(report.outcome).not.toBe('passed');
    expect(report.results).toEqual([]);
    const stop = new AbortController();
    const twice = recordingOf(opening, ['tools/call', call('a'), text('hi')], ['tools/call', call('b'), text('hi')]);
    const cancelled = await replay(
      twice,
      () => {
        stop.abort();
        return text('hi');
      },
      { signal: stop.signal },
    );
    expect(cancelled.asked).toHaveLength(1);
    expect(cancelled.report.outcome).not.toBe('passed');
    expect(cancelled.running).toBe(0);
  });
});
