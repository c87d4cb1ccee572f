import { mapResult, McpPlugin } from '@plugboard/client';

/** Notes in a directory, out of a file server that could do much more. */
export const createPlugin = () => {
  let extension = '';
  return new McpPlugin({
    name: 'notes',
    version: '1.0.0',
    description: 'Lists and reads notes.',
    // The server can also write, move and delete: no request to this plug-in gets there.
    allowedTools: ['list_directory', 'read_text_file'],
    actions: {
      list: {
        tool: 'list_directory',
        toArguments: () => ({ path: '.' }),
        mapResult: (result) => {
          const outcome = mapResult({ content: result.content });
          if (outcome.status !== 'success') return outcome;
          const files = String(outcome.data).match(/(?<=\[FILE\] ).+/gu) ?? [];
          return { status: 'success', data: files.map((file) => file.slice(0, -extension.length)) };
        },
      },
      read: {
        tool: 'read_text_file',
        aliases: ['show'],
        required: ['name'],
        toArguments: ({ name }) => ({ path: `${String(name)}${extension}` }),
        mapResult: ({ content, isError }) => mapResult({ content, isError }),
      },
    },
    // The hub hands over the server that plugboard.json names; a plug-in may also open a connection of its own.
    connect: ({ server, settings }) => {
      extension = String(settings.extension);
      return server;
    },
  });
};
