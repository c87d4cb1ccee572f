import { READ_ONLY, strictTool } from './strict-tool.js';

/** Makes the server say what it says to subscribers: two resources and the list of tools. */
export const announce = strictTool({
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
