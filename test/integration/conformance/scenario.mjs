// What the suite tells a client that it runs, and what such a client does with what it finds.
const {
  MCP_CONFORMANCE_SCENARIO: scenario = '',
  MCP_CONFORMANCE_PROTOCOL_VERSION: version = '',
  MCP_CONFORMANCE_CONTEXT: context = '{}',
} = process.env;

/** The revision that the scenario is run at. */
export const revision = version;

/** Scenarios whose server has tools to show but none to call. */
const SHOWS_ONLY = new Set(['initialize', 'json-schema-ref-no-deref']);
const EXAMPLES = { string: 'text', number: 1.5, integer: 3, boolean: true };

/** A value for each property: its default, or one of its type. */
export const valuesOf = (schema = {}) =>
  Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([key, { type, default: preset }]) => [key, preset ?? EXAMPLES[type]]),
  );

/** The calls that the scenario asks for, or one of each tool. */
export const callsFor = (tools) => {
  if (SHOWS_ONLY.has(scenario)) return [];
  const asked = JSON.parse(context).toolCalls;
  return asked ?? tools.map((tool) => ({ name: tool.name, arguments: valuesOf(tool.inputSchema) }));
};
