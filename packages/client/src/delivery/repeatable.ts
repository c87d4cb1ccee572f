import type { ToolDefinition } from '@plugboard/contract';
import { isJsonObject } from '@plugboard/wire';

/** Methods that ask and change nothing, or that set what they name however often. */
const REPEATABLE: ReadonlySet<string> = new Set([
  'completion/complete',
  'initialize',
  'logging/setLevel',
  'ping',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/subscribe',
  'resources/templates/list',
  'resources/unsubscribe',
  'server/discover',
  'subscriptions/listen',
  'tasks/get',
  'tasks/list',
  'tools/list',
]);

export const isRepeatableMethod = (method: string): boolean => REPEATABLE.has(method);

/** A tool whose author says that calling it twice does no more than calling it once. */
export const isRepeatableTool = (tool: ToolDefinition | undefined): boolean => {
  const annotations = tool?.annotations;
  return isJsonObject(annotations) && (annotations['readOnlyHint'] === true || annotations['idempotentHint'] === true);
};
