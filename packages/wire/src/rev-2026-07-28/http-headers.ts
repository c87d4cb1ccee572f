import { isJsonObject } from '@plugboard/base';
import { type JsonRpcNotification, type JsonRpcRequest } from '../envelope/json-rpc.js';
import { encodeHeaderValue } from '../header/header-value.js';

/** Where each method's `Mcp-Name` comes from. The tasks extension names the task. */
const nameSource = (method: string): 'name' | 'uri' | 'taskId' | undefined => {
  switch (method) {
    case 'tools/call':
    case 'prompts/get':
      return 'name';
    case 'resources/read':
      return 'uri';
    default:
      return method.startsWith('tasks/') ? 'taskId' : undefined;
  }
};

export const httpHeaders = (
  revision: string,
  message: JsonRpcRequest | JsonRpcNotification,
): Readonly<Record<string, string>> => {
  const source = nameSource(message.method);
  const name = source !== undefined && isJsonObject(message.params) ? message.params[source] : undefined;
  return {
    'MCP-Protocol-Version': revision,
    'Mcp-Method': encodeHeaderValue(message.method),
    ...(typeof name === 'string' ? { 'Mcp-Name': encodeHeaderValue(name) } : {}),
  };
};
