import {
  anyObject,
  anything,
  anyOf,
  flag,
  listOf,
  mapOf,
  named,
  number,
  object,
  oneOf,
  only,
  since,
  text,
  uri,
  whole,
  type Shape,
  type Shapes,
} from './shape.js';

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

const notice = (method: string, params?: Shape): Shape =>
  params === undefined
    ? object({ method: only(method) }, { params: anyObject })
    : object({ method: only(method), params });

/** Notifications by the names that the specification gives them. */
export const notifications = (revision: string): Shapes => {
  const modern = revision >= '2026-07-28';
  // From 2025-11-25 on the id may be missing, because tasks are cancelled by other means; 2026-07-28 took tasks out again.
  const cancelled =
    revision === '2025-11-25'
      ? object({}, { requestId: named('RequestId'), reason: text })
      : object({ requestId: named('RequestId') }, { reason: text });
  const filter = object(
    {},
    {
      toolsListChanged: flag,
      promptsListChanged: flag,
      resourcesListChanged: flag,
      resourceSubscriptions: listOf(text),
    },
  );
  return {
    CancelledNotification: notice('notifications/cancelled', cancelled),
    ProgressNotification: notice(
      'notifications/progress',
      object(
        { progressToken: named('RequestId'), progress: number },
        { total: number, ...since(revision, '2025-03-26', { message: text }) },
      ),
    ),
    LoggingMessageNotification: notice(
      'notifications/message',
      object({ level: oneOf(...LEVELS), data: anything }, { logger: text }),
    ),
    ResourceListChangedNotification: notice('notifications/resources/list_changed'),
    PromptListChangedNotification: notice('notifications/prompts/list_changed'),
    ToolListChangedNotification: notice('notifications/tools/list_changed'),
    ResourceUpdatedNotification: notice('notifications/resources/updated', object({ uri })),
    ...(modern
      ? {
          SubscriptionsAcknowledgedNotification: notice(
            'notifications/subscriptions/acknowledged',
            object({ notifications: filter }),
          ),
        }
      : {}),
    ...(revision === '2025-11-25'
      ? {
          ElicitationCompleteNotification: notice(
            'notifications/elicitation/complete',
            object({ elicitationId: text }),
          ),
          TaskStatusNotification: notice('notifications/tasks/status', named('Task')),
          Task: object(
            {
              taskId: text,
              status: oneOf('working', 'input_required', 'completed', 'failed', 'cancelled'),
              createdAt: text,
              lastUpdatedAt: text,
              ttl: { type: ['integer', 'null'] },
            },
            { pollInterval: whole, statusMessage: text },
          ),
        }
      : {}),
  };
};

/** A question of one field: no nesting, no composition. */
const field = object(
  { type: oneOf('string', 'number', 'integer', 'boolean', 'array') },
  { title: text, description: text },
);

const elicitation = (revision: string): Shape => {
  const schema = object({ type: only('object'), properties: mapOf(field) }, { required: listOf(text) });
  const form = object(
    { message: text, requestedSchema: schema },
    revision >= '2025-11-25' ? { mode: only('form') } : {},
  );
  if (revision < '2025-11-25') return form;
  const identified: Shapes = revision === '2025-11-25' ? { elicitationId: text } : {};
  return anyOf(form, object({ mode: only('url'), message: text, url: uri, ...identified }));
};

const share: Shape = { ...number, minimum: 0, maximum: 1 };

const preferences = object(
  {},
  {
    hints: listOf(object({}, { name: text })),
    costPriority: share,
    speedPriority: share,
    intelligencePriority: share,
  },
);

/** What a server asks of its client: as requests in the legacy era, inside of results in the modern one. */
export const serverRequests = (revision: string): Shapes => {
  const sampling = object(
    { messages: listOf(named('SamplingMessage')), maxTokens: whole },
    {
      includeContext: oneOf('none', 'thisServer', 'allServers'),
      metadata: anyObject,
      modelPreferences: preferences,
      stopSequences: listOf(text),
      systemPrompt: text,
      temperature: number,
      ...since(revision, '2025-11-25', { tools: listOf(named('Tool')), toolChoice: anyObject }),
    },
  );
  const asked: Shapes = {
    CreateMessageRequest: object({ method: only('sampling/createMessage'), params: sampling }),
    ListRootsRequest: object({ method: only('roots/list') }, { params: anyObject }),
    ...(revision >= '2025-06-18'
      ? { ElicitRequest: object({ method: only('elicitation/create'), params: elicitation(revision) }) }
      : {}),
  };
  if (revision < '2026-07-28') {
    return { ...asked, PingRequest: object({ method: only('ping') }, { params: anyObject }) };
  }
  return { ...asked, InputRequest: anyOf(...Object.keys(asked).map(named)) };
};
