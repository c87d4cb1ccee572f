import { isJsonObject, type JsonObject } from '@plugboard/wire';

/** Legacy schemas of results are objects at the root; any other is put under this member. */
const WRAPPER = 'result';

const isObjectRoot = (schema: unknown): boolean => isJsonObject(schema) && schema['type'] === 'object';

/** References inside a schema that is moved must still find their place. */
const moveReferences = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(moveReferences);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string' && /^#(?:\/|$)/u.test(member)
        ? `#/properties/${WRAPPER}${member.slice(1)}`
        : moveReferences(member),
    ]),
  );
};

/**
 * A tool as legacy clients can take it: a result schema with another root than an object is wrapped. Where a modern
 * server may make a task of any call, a legacy client may ask for one.
 */
export const toLegacyTool = (tool: JsonObject, { tasks = false }: { readonly tasks?: boolean } = {}): JsonObject => {
  const { outputSchema } = tool;
  const shown = tasks ? { execution: { taskSupport: 'optional' }, ...tool } : tool;
  if (outputSchema === undefined || isObjectRoot(outputSchema)) return shown;
  return {
    ...shown,
    outputSchema: {
      type: 'object',
      properties: { [WRAPPER]: moveReferences(outputSchema) },
      required: [WRAPPER],
    },
  };
};

/** Is the structured content of a tool with this schema wrapped for legacy clients? */
export const isWrapped = (isObject: boolean, outputSchema: unknown): boolean =>
  outputSchema === undefined ? !isObject : !isObjectRoot(outputSchema);

/** The result of a call as legacy clients can take it, in keeping with the wrapped schema. */
export const toLegacyToolResult = (result: JsonObject, outputSchema: unknown): JsonObject => {
  if (!Object.hasOwn(result, 'structuredContent')) return result;
  const { structuredContent } = result;
  return isWrapped(isJsonObject(structuredContent), outputSchema)
    ? { ...result, structuredContent: { [WRAPPER]: structuredContent } }
    : result;
};

/** Legacy task hints mean nothing in the modern era. */
export const toModernTool = (tool: JsonObject): JsonObject => {
  if (!Object.hasOwn(tool, 'execution')) return tool;
  const { execution: _legacy, ...rest } = tool;
  return rest;
};
