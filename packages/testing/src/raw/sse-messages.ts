import type { JsonRpcMessage } from '../json-rpc/message.js';

/** The JSON-RPC messages of a whole event stream; events without JSON are left out. */
export const sseMessages = (text: string): readonly JsonRpcMessage[] =>
  text.split(/\r?\n\r?\n/).flatMap((event) => {
    const data = event
      .split(/\r?\n/)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice('data:'.length).replace(/^ /, ''))
      .join('\n');
    try {
      return [JSON.parse(data) as JsonRpcMessage];
    } catch {
      return [];
    }
  });
