import type { JsonRpcNotification } from '@plugboard/wire';

const OF_CONNECTION: ReadonlySet<string> = new Set([
  'notifications/cancelled',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/tasks/status',
  'notifications/tools/list_changed',
]);

/** Is a notification about the call on whose stream it came? Changes concern every listener. */
export const isOfCall = ({ method }: JsonRpcNotification): boolean => !OF_CONNECTION.has(method);
