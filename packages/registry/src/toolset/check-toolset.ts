import { type Hint, PlugboardError, type Toolset, type ToolsetEntry } from '@plugboard/contract';
import { isProfileId, PROFILE_IDS } from '@plugboard/schema';

const wrong = (message: string, hint: Hint, details?: Readonly<Record<string, unknown>>): PlugboardError =>
  new PlugboardError('INVALID_ARGUMENT', message, { hint, details });

const requireProvider = (provider: string | null): void => {
  if (provider === null || isProfileId(provider)) return;
  throw wrong(`The provider profile "${provider}" does not exist.`, `Known: ${PROFILE_IDS.join(', ')}.`);
};

const requireOnce = (values: readonly string[], what: (value: string) => string, hint: string): void => {
  const seen = new Set<string>();
  for (const value of values) {
    if (seen.has(value)) throw wrong(what(value), hint);
    seen.add(value);
  }
};

const keyOf = (entry: ToolsetEntry): string => `${entry.upstream_name} of ${entry.server_id}`;

/** Refuses a toolset that could not be served as it is meant. Tools that a server does not offer now are no fault. */
export const checkToolset = (toolset: Toolset, serverIds: ReadonlySet<string>): void => {
  requireProvider(toolset.provider);
  const unknown = toolset.entries.find((entry) => !serverIds.has(entry.server_id));
  if (unknown !== undefined) {
    throw wrong(
      'An entry names a server that is not registered.',
      { api: 'GET /v1/mcp-servers lists the ids.', cli: '`plugboard list` shows the servers.' },
      {
        server_id: unknown.server_id,
      },
    );
  }
  requireOnce(
    toolset.entries.map(keyOf),
    (key) => `The tool ${key} is in the toolset twice.`,
    'Use one entry per tool.',
  );
  requireOnce(
    toolset.entries.flatMap(({ name }) => (name === undefined ? [] : [name])),
    (name) => `Two tools of the toolset are called "${name}".`,
    'Give each tool a different name.',
  );
};
