import { guardedServer } from '@plugboard/testing';
import { describeFamily } from '../../test-support/describe-family.js';

describeFamily('authorization', { reference: guardedServer, apart: true });
