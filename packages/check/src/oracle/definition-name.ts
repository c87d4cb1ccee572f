import { at, isObject, type JsonObject } from '../connection/json.js';
import type { Observation } from '../session/observations.js';

const RESULTS: Readonly<Record<string, string>> = {
  initialize: 'InitializeResult',
  ping: 'EmptyResult',
  'server/discover': 'DiscoverResult',
  'tools/list': 'ListToolsResult',
  'tools/call': 'CallToolResult',
  'resources/list': 'ListResourcesResult',
  'resources/templates/list': 'ListResourceTemplatesResult',
  'resources/read': 'ReadResourceResult',
  'resources/subscribe': 'EmptyResult',
  'resources/unsubscribe': 'EmptyResult',
  'prompts/list': 'ListPromptsResult',
  'prompts/get': 'GetPromptResult',
  'completion/complete': 'CompleteResult',
  'logging/setLevel': 'EmptyResult',
  'subscriptions/listen': 'SubscriptionsListenResult',
};

const NOTIFICATIONS: Readonly<Record<string, string>> = {
  'notifications/cancelled': 'CancelledNotification',
  'notifications/progress': 'ProgressNotification',
  'notifications/message': 'LoggingMessageNotification',
  'notifications/resources/list_changed': 'ResourceListChangedNotification',
  'notifications/resources/updated': 'ResourceUpdatedNotification',
  'notifications/prompts/list_changed': 'PromptListChangedNotification',
  'notifications/tools/list_changed': 'ToolListChangedNotification',
  'notifications/subscriptions/acknowledged': 'SubscriptionsAcknowledgedNotification',
  'notifications/elicitation/complete': 'ElicitationCompleteNotification',
  'notifications/tasks/status': 'TaskStatusNotification',
};

const REQUESTS: Readonly<Record<string, string>> = {
  ping: 'PingRequest',
  'sampling/createMessage': 'CreateMessageRequest',
  'elicitation/create': 'ElicitRequest',
  'roots/list': 'ListRootsRequest',
};

/** A part of a message, and the definitions of which it must be one; a definition that a revision lacks is passed over. */
export interface Expectation {
  readonly part: unknown;
  readonly where: string;
  readonly definition: string;
}

const envelopeOf = (message: JsonObject): string => {
  if ('method' in message) return 'id' in message ? 'JSONRPCRequest' : 'JSONRPCNotification';
  return 'error' in message ? 'JSONRPCErrorResponse' : 'JSONRPCResultResponse';
};

const named = (table: Readonly<Record<string, string>>, key: unknown): string | undefined =>
  typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined;

const resultDefinition = ({ message, answers }: Observation): string | undefined => {
  const result = at(message, 'result');
  const type = at(result, 'resultType');
  if (type === 'input_required') return 'InputRequiredResult';
  if (type === 'task' || isObject(at(result, 'task'))) return undefined;
  return named(RESULTS, answers);
};

/** What the schema of a revision has to say about a message. */
export const expectationsOf = (observation: Observation): readonly Expectation[] => {
  const { message } = observation;
  const envelope = { part: message, where: '', definition: envelopeOf(message) };
  const method = message['method'];
  const inner = 'id' in message ? named(REQUESTS, method) : named(NOTIFICATIONS, method);
  if (inner !== undefined) return [envelope, { part: message, where: '', definition: inner }];
  const result = resultDefinition(observation);
  if (result === undefined || !('result' in message)) return [envelope];
  return [envelope, { part: message['result'], where: '/result', definition: result }];
};
