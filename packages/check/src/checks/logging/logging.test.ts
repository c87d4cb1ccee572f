import { describeFamily } from '../../test-support/describe-family.js';

describeFamily('logging');
