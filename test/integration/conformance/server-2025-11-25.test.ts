import { judgeRevision } from './judge-revision.js';

judgeRevision({
  revision: '2025-11-25',
  required: 30,
  direct: ['legacy', 'both'],
  upstreams: [],
  exceptions: [],
});
