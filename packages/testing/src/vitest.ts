import { expect } from 'vitest';
import type { JsonObject } from './json-rpc/message.js';
import {
  toBeValidJsonRpc,
  toBeToolError,
  toHaveText,
  toHaveTool,
  toHaveExecuted,
  toHaveNoOpenConnections,
  toHaveReceived,
  toHaveReceivedMethods,
} from './matcher/matchers.js';

declare module 'vitest' {
  // The parameter must be spelled as vitest spells it.
  // oxlint-disable-next-line typescript/no-explicit-any
  interface Matchers<T = any> {
    /** A FakeServer received exactly this sequence of JSON-RPC methods. */
    toHaveReceivedMethods(methods: readonly string[]): T;
    /** A FakeServer received this method, at all or this many times. */
    toHaveReceived(method: string, times?: number): T;
    /** A FakeServer started the handler of this tool, at all or this many times. */
    toHaveExecuted(tool: string, times?: number): T;
    /** A FakeServer has neither a connection nor a stream open. */
    toHaveNoOpenConnections(): T;
    /** A list of tools, or a result of tools/list, has this tool with these members. */
    toHaveTool(name: string, members?: JsonObject): T;
    /** A result of tools/call has such a text block. */
    toHaveText(text: string | RegExp): T;
    /** A result of tools/call reports an error of the tool. */
    toBeToolError(text?: string | RegExp): T;
    /** A message, as an object or as text, is JSON-RPC 2.0. */
    toBeValidJsonRpc(): T;
  }
}

expect.extend({
  toHaveReceivedMethods,
  toHaveReceived,
  toHaveExecuted,
  toHaveNoOpenConnections,
  toHaveTool,
  toHaveText,
  toBeToolError,
  toBeValidJsonRpc,
});
