import type { ToolDefinition } from '@plugboard/contract';
import { isJsonObject } from '@plugboard/wire';

/** Methods that only read, or whose second execution changes nothing. */
const IDEMPOTENT: ReadonlySet<string> = new Set([
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

export const isIdempotentMethod = (method: string): boolean => IDEMPOTENT.has(method);

/** Does the tool declare that a second call changes nothing? */
export const isIdempotentTool = (tool: ToolDefinition | undefined): boolean => {
  const annotations = tool?.annotations;
  return isJsonObject(annotations) && (annotations['readOnlyHint'] === true || annotations['idempotentHint'] === true);
};
