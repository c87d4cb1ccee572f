import type { JsonObject } from '../json-rpc/message.js';
import type { FakeCall } from './tool-call.js';

export interface FakeResource {
  readonly uri: string;
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly annotations?: JsonObject;
  readonly extra?: JsonObject;
  readonly text?: string;
  /** Base64. */
  readonly blob?: string;
  readonly read?: (uri: string, call: FakeCall) => JsonObject | Promise<JsonObject>;
}

export interface FakeResourceTemplate {
  /** Level 1 of RFC 6570: `file:///{path}`. */
  readonly uriTemplate: string;
  readonly name?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** The text of what matches; `{name}` stands for the variable. */
  readonly text?: string;
  readonly read?: (
    variables: Readonly<Record<string, string>>,
    uri: string,
    call: FakeCall,
  ) => JsonObject | Promise<JsonObject>;
}
