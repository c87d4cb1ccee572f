import { judgePublished } from './judge-published.js';

judgePublished({
  revision: '2025-11-25',
  required: 30,
  servers: {
    sdk: [
      { eras: 'both', transport: 'http' },
      { eras: 'both', transport: 'stdio' },
      { eras: 'legacy', transport: 'sse' },
    ],
    own: [
      { eras: 'legacy', transport: 'http' },
      { eras: 'legacy', transport: 'stdio' },
      { eras: 'modern', transport: 'http' },
      { eras: 'modern', transport: 'stdio' },
      { eras: 'both', transport: 'http' },
    ],
  },
});
