import { childEnvironment, createSupervisor, mapResult, McpClient, McpPlugin } from '@plugboard/client';
import { PlugboardError } from '@plugboard/contract';

const cookieName = 'social_session';

const readCookie = (env) => {
  const cookie = env.SOCIAL_COOKIE;
  if (cookie !== undefined && cookie !== '') return cookie;
  throw new PlugboardError('CONFIG_INVALID', 'The social network needs a session cookie.', {
    hint: 'Log in with a browser and put the value of its session cookie into SOCIAL_COOKIE.',
  });
};

/** A server that runs elsewhere gets the cookie in a header. */
const connectTo = (url, cookie) =>
  new McpClient({
    name: 'social',
    config: {
      mcp_server_type: 'streamable_http',
      server_url: url,
      custom_headers: { Cookie: `${cookieName}=${cookie}` },
    },
  });

/** A server that we start gets it by its environment: everybody on a machine can read a command line. */
const startServer = ({ settings, env }, cookie) => {
  const supervisor = createSupervisor();
  const client = new McpClient({
    name: 'social',
    config: {
      mcp_server_type: 'stdio',
      command: settings.command,
      args: settings.args,
      env: { SOCIAL_COOKIE: cookie },
    },
    environment: childEnvironment({ inherited: env }),
    launch: supervisor.stdio({ name: 'social', memoryLimitBytes: 512_000_000 }).launch,
  });
  return {
    listTools: (options) => client.listTools(options),
    callTool: (name, args, options) => client.callTool(name, args, options),
    dispose: async () => {
      await client.dispose();
      await supervisor[Symbol.asyncDispose]();
    },
  };
};

const isEmpty = (value) => value === '' || value === null || (Array.isArray(value) && value.length === 0);

/** Without a valid login this network shows a page with nothing on it: that is no success. */
const mapProfile = (result) => {
  const outcome = mapResult(result);
  if (outcome.status !== 'success' || !Object.values(outcome.data).every(isEmpty)) return outcome;
  return {
    status: 'error',
    error: new PlugboardError('UPSTREAM_AUTH', 'The social network showed an empty profile.', {
      hint: 'The session cookie has expired: log in again and renew SOCIAL_COOKIE.',
    }),
  };
};

export const createPlugin = () =>
  new McpPlugin({
    name: 'social',
    version: '1.0.0',
    description: 'Profiles of people and companies on a social network.',
    allowedTools: ['get_person_profile', 'get_company_profile'],
    deadlineMs: 180_000,
    actions: {
      person: {
        tool: 'get_person_profile',
        aliases: ['get_person', 'profile'],
        required: ['username'],
        mapResult: mapProfile,
      },
      company: {
        tool: 'get_company_profile',
        aliases: ['get_company'],
        required: ['name'],
        toArguments: ({ name }) => ({ company: name }),
      },
    },
    connect: (config) => {
      const cookie = readCookie(config.env);
      const url = config.env.SOCIAL_SERVER_URL;
      return url === undefined ? startServer(config, cookie) : connectTo(url, cookie);
    },
  });
