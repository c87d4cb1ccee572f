// What goes wrong is said clearly, and the same connection goes on working.
import { step, textOf, withClient } from './hub.mjs';

const failureOf = async (work) => {
  try {
    const result = await work();
    return result.isError ? textOf({ ...result, isError: false }) : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

await withClient('/servers/documents/mcp', async (client) => {
  const unknown = await failureOf(() => client.callTool({ name: 'no_such_tool', arguments: {} }));
  step('an unknown tool is refused', unknown?.includes('no_such_tool'), unknown ?? 'it was called');

  const missing = await failureOf(() => client.callTool({ name: 'convert_document', arguments: {} }));
  step('missing arguments are refused', missing !== undefined, 'it was called');

  const outside = await failureOf(() =>
    client.callTool({ name: 'convert_document', arguments: { input_path: '../../etc/passwd' } }),
  );
  step('a path outside is refused', outside !== undefined && !outside.includes('root:'), outside ?? 'it was read');

  const converted = textOf(
    await client.callTool({
      name: 'convert_document',
      arguments: { content: 'name,age\nAda,36', format: 'csv', output_format: 'markdown' },
    }),
  );
  step('the next call works', converted.includes('| Ada'), converted);
});
