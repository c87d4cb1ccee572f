import { judgePublished } from './judge-published.js';

judgePublished({
  revision: '2026-07-28',
  required: 37,
  servers: {
    sdk: [
      { eras: 'both', transport: 'http' },
      { eras: 'legacy', transport: 'http' },
      { eras: 'modern', transport: 'stdio' },
    ],
    own: [
      { eras: 'legacy', transport: 'stdio' },
      { eras: 'legacy', transport: 'sse' },
      { eras: 'modern', transport: 'http' },
      { eras: 'both', transport: 'http' },
      { eras: 'both', transport: 'stdio' },
    ],
  },
});
