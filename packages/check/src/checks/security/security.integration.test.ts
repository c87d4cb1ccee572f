import { describeFamily, listens } from '../../test-support/describe-family.js';

describeFamily('security', { target: { tier: 'intrusive' }, sockets: true, only: listens });
