import { aggregateServer } from '@plugboard/testing';
import { describeFamily } from '../../test-support/describe-family.js';
import { HUB_TARGET } from '../../test-support/references.js';

describeFamily('hub', { reference: aggregateServer, apart: true, target: HUB_TARGET });
