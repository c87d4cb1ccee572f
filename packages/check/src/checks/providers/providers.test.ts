import { strictServer } from '@plugboard/testing';
import { describeFamily } from '../../test-support/describe-family.js';

describeFamily('providers', { reference: strictServer });
