import type { JsonObject } from '../json-rpc/message.js';
import type { FakeCall } from './tool-call.js';

export interface FakePrompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly { readonly name: string; readonly description?: string; readonly required?: boolean }[];
  readonly extra?: JsonObject;
  /** One user message; `{argument}` stands for the argument. */
  readonly text?: string;
  readonly get?: (args: Readonly<Record<string, string>>, call: FakeCall) => JsonObject | Promise<JsonObject>;
}
