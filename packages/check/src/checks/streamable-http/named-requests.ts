import type { JsonObject } from '../../connection/json.js';
import { parameterHeaders } from '../../probe/parameter-headers.js';
import type { Probe } from '../../probe/probe.js';
import type { Answer } from '../../session/answer.js';
import { responsive } from '../instrument/exercise.js';

/** A harmless request that names something, to be sent with other headers than its own. */
export interface NamedRequest {
  readonly method: string;
  readonly name: string;
  readonly send: (headers: Readonly<Record<string, string | null>>) => Promise<Answer>;
}

/**
 * One request each that reads a resource, gets a prompt and calls a tool, as far as there are such. Each has come to a result
 * in its proper form: what is refused afterwards is refused for its headers.
 */
export const namedRequests = (probe: Probe): Promise<readonly NamedRequest[]> =>
  probe.once('named requests', async () => {
    const working: NamedRequest[] = [];
    for (const request of await candidates(probe)) {
      if ((await request.send({})).result !== undefined) working.push(request);
    }
    return working;
  });

const candidates = async (probe: Probe): Promise<readonly NamedRequest[]> => {
  const session = probe.session();
  const { capabilities } = session;
  const named = (
    method: string,
    name: string,
    params: JsonObject,
    more: Readonly<Record<string, string>> = {},
  ): NamedRequest => ({
    method,
    name,
    send: async (headers) => await session.request(method, params, { headers: { ...more, ...headers } }),
  });
  const resource = capabilities['resources'] === undefined ? undefined : (await probe.resources())[0];
  const prompt = capabilities['prompts'] === undefined ? undefined : (await probe.gettable()).find(({ free }) => free);
  const tool = capabilities['tools'] === undefined ? undefined : (await responsive(probe))[0];
  const args = tool?.arguments[0] ?? {};
  return [
    ...(resource === undefined
      ? []
      : [named('resources/read', String(resource['uri']), { uri: String(resource['uri']) })]),
    ...(prompt === undefined
      ? []
      : [
          named('prompts/get', String(prompt.prompt['name']), {
            name: prompt.prompt['name'],
            arguments: prompt.arguments,
          }),
        ]),
    ...(tool === undefined
      ? []
      : [
          named(
            'tools/call',
            tool.name,
            { name: tool.name, arguments: args },
            parameterHeaders(tool.inputSchema, args),
          ),
        ]),
  ];
};
