import { describe, expect, it } from 'vitest';
import { secondsIn, withDefaultTarget, withTimeout } from './framework-environment.js';

const NONE = { target: [], header: [], env: [] } as unknown as Parameters<typeof withDefaultTarget>[0];
const target = (env: Readonly<Record<string, string>>, address = NONE) => withDefaultTarget(address, env).target;

describe('the target of the environment', () => {
  it.each([
    [{ MCP_GATEWAY_URL: 'http://127.0.0.1:8811' }, ['http://127.0.0.1:8811/mcp']],
    [{ MCP_GATEWAY_URL: 'http://127.0.0.1:8811/servers/x/mcp' }, ['http://127.0.0.1:8811/servers/x/mcp']],
    [{ DOCLING_MCP_URL: 'http://127.0.0.1:3020' }, ['http://127.0.0.1:3020/mcp']],
    [{ MCP_GATEWAY_URL: 'http://a.example', DOCLING_MCP_URL: 'http://b.example' }, ['http://a.example/mcp']],
    [{ MCP_GATEWAY_URL: '', DOCLING_MCP_URL: 'http://b.example' }, ['http://b.example/mcp']],
    [{}, []],
  ])('%j means %j', (env, expected) => {
    expect(target(env)).toEqual(expected);
  });

  it('is not used when the command line names one', () => {
    expect(target({ MCP_GATEWAY_URL: 'http://a.example' }, { ...NONE, target: ['mine'] })).toEqual(['mine']);
  });

  it.each([
    ['MCP_GATEWAY_URL', 'localhost'],
    ['DOCLING_MCP_URL', 'localhost:3020'],
  ])('is refused when %s is "%s"', (name, text) => {
    expect(() => target({ [name]: text })).toThrow(`${name} is not an address: "${text}".`);
  });
});

describe('a number of seconds in the environment', () => {
  it.each([
    ['30', 30],
    ['0.5', 0.5],
    ['', undefined],
  ])('%j is %s', (text, seconds) => {
    expect(secondsIn({ TEST_TIMEOUT: text }, 'TEST_TIMEOUT')).toBe(seconds);
  });

  it.each(['long', '0', '-1', 'Infinity'])('%s is refused', (text) => {
    expect(() => secondsIn({ TEST_TIMEOUT: text }, 'TEST_TIMEOUT')).toThrow('is not a number of seconds');
  });
});

it('the time for an answer is that of the flag, else that of the environment, else that of the target', () => {
  const budgets = { requestMs: 10_000, startMs: 5 };
  expect(withTimeout(budgets, { TEST_TIMEOUT: '30' }, 0.25)).toEqual({ requestMs: 250, startMs: 5 });
  expect(withTimeout(budgets, { TEST_TIMEOUT: '30' })).toEqual({ requestMs: 30_000, startMs: 5 });
  expect(withTimeout(budgets, {})).toEqual(budgets);
});
