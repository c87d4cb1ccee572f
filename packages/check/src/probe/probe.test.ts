import { describe, expect, test } from 'vitest';
import { changedHeaders, headerValue, mirroredHeaders } from '../session/http-headers.js';
import { checkTarget, type CheckTargetInput } from '../target/target.js';
import { decideTool, type CallDecision } from '../calls/call-policy.js';
import { toListedTool } from './lists.js';
import { parameterHeaders } from './parameter-headers.js';

const tool = (annotations: object = {}, inputSchema: object = { type: 'object' }) =>
  toListedTool({ name: 'tool', inputSchema, annotations });
const argumentsOf = (decision: CallDecision) => (decision.may ? decision.arguments : undefined);
const may = (input: CheckTargetInput, annotations: object = {}) =>
  argumentsOf(decideTool(tool(annotations), checkTarget.parse(input)));

describe('what may be called', () => {
  test('only what reads, what is allowed, or anything in an intrusive run', () => {
    expect(may({})).toBeUndefined();
    expect(may({}, { readOnlyHint: true })).toEqual([{}]);
    expect(may({ tools: { tool: {} } })).toEqual([{}]);
    expect(may({ tier: 'intrusive' })).toEqual([{}]);
    expect(may({ tools: { tool: { safe: false } }, tier: 'intrusive' }, { readOnlyHint: true })).toBeUndefined();
    expect(may({ tools: { other: {} } })).toBeUndefined();
    expect(may({ tools: { '*': {} } })).toBeUndefined();
    expect(may({ tools: { '*': {} } }, { readOnlyHint: true })).toEqual([{}]);
    expect(may({}, { readOnlyHint: true, destructiveHint: true })).toBeUndefined();
  });

  test('with the arguments of the operator, one set or several', () => {
    expect(may({ tools: { tool: { arguments: { a: 1 } } } })).toEqual([{ a: 1 }]);
    expect(may({ tools: { tool: { arguments: [{ a: 1 }, { a: 2 }] } } })).toEqual([{ a: 1 }, { a: 2 }]);
  });
});

describe('headers', () => {
  test('mirror the message', () => {
    const params = { name: 'é', _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
    expect(mirroredHeaders({ method: 'tools/call', params })).toEqual({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': '=?base64?w6k=?=',
    });
    expect(mirroredHeaders({})).toEqual({});
    expect([' x', 'a b', '=?base64?x?='].map(headerValue)).toEqual([
      '=?base64?IHg=?=',
      'a b',
      '=?base64?PT9iYXNlNjQ/eD89?=',
    ]);
  });

  test('carry the parameters that a schema marks, at any depth', () => {
    const schema = {
      type: 'object',
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        inner: { type: 'object', properties: { count: { type: 'integer', 'x-mcp-header': 'Count' } } },
        absent: { type: 'string', 'x-mcp-header': 'Absent' },
      },
    };
    expect(parameterHeaders(schema, { region: 'eu', inner: { count: 3 }, absent: null })).toEqual({
      'mcp-param-Region': 'eu',
      'mcp-param-Count': '3',
    });
    expect(parameterHeaders(true, {})).toEqual({});
  });

  test('are changed whatever the case of their names', () => {
    expect(changedHeaders({ Accept: 'a', 'x-b': 'b' }, { accept: 'c' }, { 'X-B': null })).toEqual({ accept: 'c' });
  });
});
