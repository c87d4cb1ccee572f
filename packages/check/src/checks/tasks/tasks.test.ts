import { taskingServer } from '@plugboard/testing';
import { describeFamily } from '../../test-support/describe-family.js';

/** Tools that ask or wait have families of their own; what runs a job must be allowed by its name. */
const tools = Object.fromEntries([
  ...['run_job', 'run_long_job', 'ask_in_job'].map((name) => [name, {}]),
  ...['sleep', 'progress', 'elicit', 'sample', 'roots', 'open_page', 'log', 'announce'].map((name) => [
    name,
    { safe: false },
  ]),
]);

describeFamily('tasks', { reference: taskingServer, apart: true, target: { tools } });
