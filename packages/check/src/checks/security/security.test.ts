import { describeFamily, listens } from '../../test-support/describe-family.js';

/** The reference is no process of its own, and none of its parameters has a pattern. */
describeFamily('security', {
  target: { tier: 'intrusive' },
  beyond: ['SEC-07', 'SEC-27'],
  only: (id) => !listens(id),
});
