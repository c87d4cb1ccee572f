import { ALL_UPSTREAMS } from './cell.js';
import { judgeRevision } from './judge-revision.js';

judgeRevision({
  revision: '2025-11-25',
  required: 30,
  direct: ['legacy', 'both'],
  upstreams: ALL_UPSTREAMS,
  exceptions: [
    {
      scenario: 'server-sse-polling',
      reason:
        'Not required. It wants to see a server hang up in the middle of a call and the client come back for the result; ' +
        'the hub comes back by itself and gives its own client the result at once.',
    },
  ],
});
