import type { ToolSpec } from '../definition/tool.js';
import { askingTools } from './reference-asking-tools.js';
import { reachingTools } from './reference-reaching-tools.js';
import { waitingTools } from './reference-waiting-tools.js';
import { READ_ONLY, strictTool } from './strict-tool.js';

const echo = strictTool({
  name: 'echo',
  title: 'Echo',
  description: 'Gives back the text that it was given, unchanged.',
  annotations: READ_ONLY,
  parameters: { text: { type: 'string', description: 'What to give back.', maxLength: 10_000_000 } },
  required: ['text'],
  handler: (args) => String(args['text']),
});

const add = strictTool({
  name: 'add',
  title: 'Add',
  description: 'Adds two numbers and gives back their sum.',
  annotations: READ_ONLY,
  parameters: {
    a: { type: 'number', description: 'The first number.' },
    b: { type: 'number', description: 'The second number.' },
  },
  required: ['a', 'b'],
  outputSchema: {
    type: 'object',
    properties: { sum: { type: 'number' } },
    required: ['sum'],
    additionalProperties: false,
  },
  handler: (args) => {
    const structuredContent = { sum: Number(args['a']) + Number(args['b']) };
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  },
});

const pick = strictTool({
  name: 'pick_colour',
  title: 'Pick a colour',
  description: 'Names the code of one of three colours.',
  annotations: READ_ONLY,
  parameters: {
    colour: { type: 'string', enum: ['red', 'green', 'blue'], description: 'Which colour.' },
    depth: { type: 'integer', minimum: 1, maximum: 16, description: 'Bits per channel.' },
  },
  required: ['colour'],
  handler: (args) => `The code of ${String(args['colour'])} has ${Number(args['depth'] ?? 8)} bits.`,
});

const now = strictTool({
  name: 'get_status',
  title: 'Status',
  description: 'Says that the server is well; it takes no arguments.',
  annotations: READ_ONLY,
  parameters: {},
  handler: () => 'The server is well.',
});

const locate = strictTool({
  name: 'locate',
  title: 'Locate',
  description: 'Says in which region and on which level something is.',
  annotations: READ_ONLY,
  parameters: {
    region: { type: 'string', description: 'Which region.', maxLength: 100, 'x-mcp-header': 'Region' },
    level: { type: 'integer', minimum: 1, maximum: 99, description: 'Which level.', 'x-mcp-header': 'Level' },
  },
  required: ['region', 'level'],
  handler: (args) => `It is in ${String(args['region'])}, on level ${Number(args['level'])}.`,
});

/** Makes the server say what it says to subscribers: two resources and the list of tools. */
const announce = strictTool({
  name: 'announce',
  title: 'Announce',
  description: 'Tells subscribers to look again at two resources and at the tools, though nothing has changed.',
  annotations: READ_ONLY,
  parameters: {},
  handler: (_args, call) => {
    call.announce('notifications/resources/updated', { uri: 'test://greeting' });
    call.announce('notifications/resources/updated', { uri: 'test://numbers' });
    call.announce('notifications/tools/list_changed');
    return 'announced';
  },
});

/** Tools of the reference: some compute, some wait, report, log and ask. */
export const referenceTools: readonly ToolSpec[] = [
  echo,
  add,
  pick,
  now,
  locate,
  ...waitingTools,
  ...askingTools,
  ...reachingTools,
  announce,
];
