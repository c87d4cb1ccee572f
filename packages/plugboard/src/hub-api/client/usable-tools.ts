import { PlugboardError, type ToolView } from '@plugboard/contract';
import { z } from 'zod';
import type { HubApi } from '../hub-api.js';
import type { HubClient } from './hub-client.js';
import { readAnswer } from '../read-answer.js';
import { didYouMean } from '../../terminal/did-you-mean.js';

/** Where tools are called: a server, or a toolset. */
export interface ToolPlace {
  readonly kind: 'servers' | 'toolsets';
  readonly name: string;
  /** The id of a server, for those who may see it. */
  readonly id?: string | undefined;
}

/** A tool as its callers see it; not everything that operators see. */
export type UsableTool = Pick<ToolView, 'upstream_name' | 'input_schema' | 'description'> & Partial<ToolView>;

const definition = z.looseObject({
  name: z.string(),
  description: z.string().nullish(),
  inputSchema: z.unknown(),
});

const isDenied = (thrown: unknown): boolean => thrown instanceof PlugboardError && thrown.code === 'PERMISSION_DENIED';

const mapOf = z.record(z.string(), z.looseObject({}));

const unknownServer = (name: string, known: readonly string[]): PlugboardError => {
  const list = known.length === 0 ? 'This key may use no server.' : `It may use: ${known.join(', ')}.`;
  return new PlugboardError('SERVER_NOT_FOUND', `There is no server called "${name}" for this key.`, {
    hint: didYouMean(name, known, list),
  });
};

/** The names of the servers that the holder of the key may use. */
export const usableServers = async (api: HubApi): Promise<readonly string[]> => {
  const parsed = mapOf.safeParse((await api.request('GET', '/servers')).json);
  const entries = Object.entries(parsed.success ? parsed.data : {});
  return entries.flatMap(([name, entry]) => ('alias_of' in entry ? [] : [name]));
};

/** A server by its name or id. A key of an agent cannot use the admin API, but finds what the agent may use. */
export const usableServer = async (client: HubClient, name: string): Promise<ToolPlace> => {
  try {
    const { id, server_name } = await client.server(name);
    return { kind: 'servers', name: server_name, id };
  } catch (thrown) {
    if (!isDenied(thrown)) throw thrown;
    const known = await usableServers(client.api);
    if (known.includes(name)) return { kind: 'servers', name };
    throw unknownServer(name, known);
  }
};

const listed = async (api: HubApi, { kind, name }: ToolPlace): Promise<readonly UsableTool[]> => {
  const answer = await api.request('GET', `/${kind}/${encodeURIComponent(name)}/tools`);
  return readAnswer(z.array(definition), answer, 'the tools').map(
    ({ name: upstream_name, description, inputSchema, ...rest }) => ({
      ...(rest as Partial<ToolView>),
      upstream_name,
      name: upstream_name,
      description: description ?? null,
      input_schema: inputSchema,
      enabled: true,
    }),
  );
};

/** The tools of a server or a toolset, as far as the holder of the key may use them. */
export const usableTools = async (client: HubClient, place: ToolPlace): Promise<readonly UsableTool[]> => {
  if (place.id === undefined) return listed(client.api, place);
  return client.tools(place.id);
};
