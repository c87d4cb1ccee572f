import { deadPort, fakeServer, fakeServerCommand, httpDouble, type FakeServer } from '@plugboard/testing';
import { AuthorizationServerDouble, protectResource } from '@plugboard/testing/oauth';
import type { Secrets } from './secrets.js';

/** Prints everything it was given, and dies. */
const PRINTS_ITSELF = `
process.stderr.write(JSON.stringify(process.env) + '\\n' + process.argv.join('\\n') + '\\n');
for (const value of Object.values(process.env)) process.stderr.write(Buffer.from(value).toString('base64') + '\\n');
process.exit(3);`;

export interface CanaryServers extends AsyncDisposable {
  readonly fake: FakeServer;
  readonly authorization: AuthorizationServerDouble;
  /** What to register, by name. */
  readonly configs: Readonly<Record<string, object>>;
}

/** Real servers of every kind: some serve, one refuses and repeats what it got, one hangs, one is gone, one dies. */
export const startServers = async (secrets: Secrets): Promise<CanaryServers> => {
  const fake = fakeServer({ tools: ['echo', 'fail'] });
  const { url } = await fake.listenHttp();
  const refusing = (await httpDouble()).always(({ headers, path }) => ({
    status: 403,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ error: `not for ${JSON.stringify(headers)} at ${path}` }),
  }));
  const dead = await deadPort();
  const authorization = await AuthorizationServerDouble.start({
    clients: [
      {
        client_id: 'machine',
        client_secret: secrets.clientSecret,
        redirect_uris: [],
        response_types: [],
        grant_types: ['client_credentials'],
      },
    ],
  });
  const guarded = await protectResource({ server: fakeServer({ tools: ['echo'] }), authorization });
  const stdio = fakeServerCommand({ tools: ['echo', 'env', 'crash'] });
  const http = (server_url: string, members: object = {}) => ({
    mcp_server_type: 'streamable_http',
    server_url,
    ...members,
  });
  const oauth = {
    grant: 'client_credentials',
    client_id: 'machine',
    client_secret: secrets.clientSecret,
    issuer: authorization.issuer,
    scopes: ['mcp:basic'],
  };
  return {
    fake,
    authorization,
    configs: {
      plain: http(url, { auth_token: secrets.bearer, custom_headers: { 'X-Secret': secrets.header } }),
      named: http(`${url}?hub=\${HUB_VARIABLE}`, { auth_header: 'X-Api-Key', auth_token: secrets.namedToken }),
      query: http(`${url}?key={{ URL_VARIABLE }}&token=${encodeURIComponent(secrets.urlLiteral)}`, {
        custom_headers: { 'X-Server': '{{ SERVER_VARIABLE }}' },
        variables: { URL_VARIABLE: secrets.urlVariable, SERVER_VARIABLE: secrets.serverVariable },
      }),
      agented: http(url, { auth_token: '{{ AGENT_VARIABLE }}' }),
      program: {
        mcp_server_type: 'stdio',
        command: stdio.command,
        args: [...stdio.args, '--token', secrets.argumentLiteral, '{{ ARGUMENT_VARIABLE }}'],
        env: { SECRET_OF_THE_PROGRAM: secrets.environment },
        variables: { ARGUMENT_VARIABLE: secrets.argumentVariable },
      },
      dying: {
        mcp_server_type: 'stdio',
        command: process.execPath,
        args: ['-e', PRINTS_ITSELF, '--', `--api-key=${secrets.argumentLiteral}`, '{{ ARGUMENT_VARIABLE }}'],
        env: { SECRET_OF_THE_PROGRAM: secrets.environment },
        variables: { ARGUMENT_VARIABLE: secrets.argumentVariable },
      },
      refusing: http(`${refusing.url}/mcp?key={{ KEY }}`, {
        auth_token: secrets.refusedToken,
        custom_headers: { 'X-Secret': secrets.header },
        variables: { KEY: secrets.urlVariable },
      }),
      dead: http(`http://127.0.0.1:${dead.port}/mcp?token=${encodeURIComponent(secrets.urlLiteral)}`, {
        auth_token: secrets.deadToken,
      }),
      machine: http(guarded.url, { oauth }),
    },
    [Symbol.asyncDispose]: async () => {
      await fake.close();
      await refusing.close();
      await guarded.close();
      await authorization.close();
    },
  };
};
