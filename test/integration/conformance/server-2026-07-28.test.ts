import { ALL_UPSTREAMS } from './cell.js';
import { judgeRevision } from './judge-revision.js';

judgeRevision({
  revision: '2026-07-28',
  required: 37,
  direct: ['modern', 'both'],
  upstreams: ALL_UPSTREAMS,
  exceptions: [],
});
