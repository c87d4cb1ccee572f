import type { Revision } from '../revision/revision.js';
import { encodeParams } from './encode-params.js';
import { httpHeaders } from './http-headers.js';

const id = '2026-07-28';

export const rev20260728: Revision = Object.freeze<Revision>({
  id,
  era: 'modern',
  features: Object.freeze({
    batching: false,
    protocolVersionHeader: true,
    methodHeaders: true,
    sessions: false,
    serverRequests: false,
    elicitation: true,
    elicitationModes: true,
    structuredOutput: true,
    inputRequired: true,
    subscriptionsListen: true,
    resumableStreams: false,
    primedStreams: false,
    tasks: false,
    ping: false,
    setLevel: false,
    cacheHints: true,
  }),
  methods: Object.freeze({
    clientRequests: new Set([
      'completion/complete',
      'prompts/get',
      'prompts/list',
      'resources/list',
      'resources/read',
      'resources/templates/list',
      'server/discover',
      'subscriptions/listen',
      'tools/call',
      'tools/list',
    ]),
    clientNotifications: new Set(['notifications/cancelled']),
    serverRequests: new Set<string>(),
    serverNotifications: new Set([
      'notifications/cancelled',
      'notifications/message',
      'notifications/progress',
      'notifications/prompts/list_changed',
      'notifications/resources/list_changed',
      'notifications/resources/updated',
      'notifications/subscriptions/acknowledged',
      'notifications/tools/list_changed',
    ]),
  }),
  encodeParams: (params, identity) => encodeParams(id, params, identity),
  httpHeaders: (message) => httpHeaders(id, message),
});
