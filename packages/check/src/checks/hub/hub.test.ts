import { AGGREGATE, aggregateServer } from '@plugboard/testing';
import { describeFamily } from '../../test-support/describe-family.js';

describeFamily('hub', {
  reference: aggregateServer,
  apart: true,
  target: { hub: AGGREGATE, tools: { one__progress: { arguments: { steps: 2 } } } },
});
