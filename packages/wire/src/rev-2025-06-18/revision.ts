import { rev20250326 } from '../rev-2025-03-26/revision.js';
import { extendSet } from '../revision/method-set.js';
import type { Revision } from '../revision/revision.js';

const id = '2025-06-18';

export const rev20250618: Revision = Object.freeze<Revision>({
  ...rev20250326,
  id,
  features: Object.freeze({
    ...rev20250326.features,
    batching: false,
    protocolVersionHeader: true,
    elicitation: true,
    structuredOutput: true,
  }),
  methods: Object.freeze({
    ...rev20250326.methods,
    serverRequests: extendSet(rev20250326.methods.serverRequests, { add: ['elicitation/create'] }),
  }),
  httpHeaders: () => ({ 'MCP-Protocol-Version': id }),
});
