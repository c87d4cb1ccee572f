import { taskingServer } from '@plugboard/testing';
import { describeFamily } from '../../test-support/describe-family.js';

/** Tools that ask or wait have families of their own. */
const tools = Object.fromEntries(
  ['sleep', 'progress', 'elicit', 'sample', 'roots', 'open_page', 'log', 'announce'].map((name) => [
    name,
    { safe: false },
  ]),
);

describeFamily('tasks', { reference: taskingServer, apart: true, target: { tools } });
