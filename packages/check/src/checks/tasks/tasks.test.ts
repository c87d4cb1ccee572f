import { taskingServer } from '@plugboard/testing';
import { describeFamily } from '../../test-support/describe-family.js';
import { TASK_TARGET } from '../../test-support/references.js';

describeFamily('tasks', { reference: taskingServer, apart: true, target: TASK_TARGET });
