import { rev20250618 } from '../rev-2025-06-18/revision.js';
import { extendSet } from '../revision/method-set.js';
import type { Revision } from '../revision/revision.js';

const id = '2025-11-25';
const taskRequests = ['tasks/cancel', 'tasks/get', 'tasks/list', 'tasks/result'];

export const rev20251125: Revision = Object.freeze<Revision>({
  ...rev20250618,
  id,
  features: Object.freeze({ ...rev20250618.features, elicitationModes: true, primedStreams: true, tasks: true }),
  methods: Object.freeze({
    // Either side may run tasks for the other.
    clientRequests: extendSet(rev20250618.methods.clientRequests, { add: taskRequests }),
    clientNotifications: extendSet(rev20250618.methods.clientNotifications, { add: ['notifications/tasks/status'] }),
    serverRequests: extendSet(rev20250618.methods.serverRequests, { add: taskRequests }),
    serverNotifications: extendSet(rev20250618.methods.serverNotifications, {
      add: ['notifications/elicitation/complete', 'notifications/tasks/status'],
    }),
  }),
  httpHeaders: () => ({ 'MCP-Protocol-Version': id }),
});
