import { fileURLToPath } from 'node:url';

/** Where a template may stand, and with which credentials beside it. */

export type Transport = 'streamable_http' | 'sse' | 'stdio' | 'listening program';

export interface CellPlaces {
  readonly origin: string;
  /** A directory with one directory per agent. */
  readonly homes: string;
  /** Where programs write down what they are asked. */
  readonly notes: string;
}

export interface Cell {
  /** The name of the server that stands for it. */
  readonly name: string;
  readonly transport: Transport;
  readonly config: (places: CellPlaces) => object;
  /** What the server must see of the agent with this name. */
  readonly shows: (agent: string) => readonly string[];
  /** Who logs in before the server is used. */
  readonly login?: 'the hub' | 'each agent';
}

/** The variables that every agent has, each with a value of its own. */
export const variablesOf = (agent: string, origin: string, proxyPort: number, privateKey: string) => ({
  WHO: agent,
  ORIGIN: origin.replace('127.0.0.1', HOSTS[agent] ?? ''),
  SECRET: `secret-of-${agent}`,
  PROXY_PORT: String(proxyPort),
  PRIVATE_KEY: privateKey,
  DESK: 'desk',
});

interface Part {
  readonly members: (url: string) => object;
  readonly shows: (agent: string) => readonly string[];
}

/** By which name each agent reaches the same servers. */
const HOSTS: Readonly<Record<string, string>> = { alpha: '127.0.0.1', beta: 'localhost' };

const URL_PLACES: Readonly<Record<string, Part>> = {
  nowhere: { members: (server_url) => ({ server_url }), shows: () => [] },
  path: { members: (url) => ({ server_url: `${url}/of-{{ WHO }}` }), shows: (agent) => [`/of-${agent}`] },
  query: { members: (url) => ({ server_url: `${url}?who=\${WHO}` }), shows: (agent) => [`?who=${agent}`] },
  origin: {
    members: (url) => ({ server_url: url.replace(new URL(url).origin, '{{ ORIGIN }}') }),
    shows: (agent) => [`at ${HOSTS[agent]}:`],
  },
  header: {
    members: (server_url) => ({ server_url, custom_headers: { 'X-Who': 'it is {{ WHO }}', 'X-Fixed': 'fixed' } }),
    shows: (agent) => [`it is ${agent}`, 'fixed'],
  },
  proxy: {
    members: (server_url) => ({ server_url, proxy: 'http://127.0.0.1:{{ PROXY_PORT }}' }),
    shows: (agent) => [`by the proxy of ${agent}`],
  },
};

interface Credential extends Part {
  readonly login?: 'the hub' | 'each agent';
}

const issuerOf = (url: string): string => `${new URL(url).origin}/desk`;
const machine = (url: string, members: object) => ({
  oauth: { grant: 'client_credentials', issuer: issuerOf(url), ...members },
});

const CREDENTIALS: Readonly<Record<string, Credential>> = {
  'no-token': { members: () => ({}), shows: () => [] },
  'fixed-token': { members: () => ({ auth_token: 'fixed-token' }), shows: () => ['Bearer fixed-token'] },
  'agents-token': { members: () => ({ auth_token: '{{ SECRET }}' }), shows: (agent) => [`Bearer secret-of-${agent}`] },
  'token-in-own-header': {
    members: () => ({ auth_header: 'X-Api-Key', auth_token: 'key ${SECRET}' }),
    shows: (agent) => [`key secret-of-${agent}`],
  },
  'oauth-machine': {
    members: (url) => machine(url, { client_id: 'machine', client_secret: 'shared' }),
    shows: () => ['for machine by shared'],
  },
  'oauth-agents-client': {
    members: (url) => machine(url, { client_id: '{{ WHO }}', client_secret: 'shared' }),
    shows: (agent) => [`for ${agent} by shared`],
  },
  'oauth-agents-secret': {
    members: (url) => machine(url, { client_id: 'machine', client_secret: '{{ SECRET }}' }),
    shows: (agent) => [`for machine by secret-of-${agent}`],
  },
  'oauth-agents-key': {
    members: (url) => machine(url, { client_id: '${WHO}', private_key: '{{ PRIVATE_KEY }}' }),
    shows: (agent) => [`for ${agent} by key`],
  },
  'oauth-agents-issuer': {
    members: (url) => ({
      oauth: {
        grant: 'client_credentials',
        client_id: 'machine',
        client_secret: 'shared',
        issuer: `${new URL(url).origin}/{{ DESK }}`,
        scopes: ['of-{{WHO}}'],
      },
    }),
    shows: (agent) => ['for machine by shared', `scope of-${agent}`],
  },
  'oauth-login-of-hub': {
    members: () => ({ oauth: { client_id: 'hub' } }),
    shows: () => ['login of hub'],
    login: 'the hub',
  },
  'oauth-login-of-agent': {
    members: () => ({ oauth: { client_id: 'app-of-{{ WHO }}' } }),
    shows: (agent) => [`login of app-of-${agent}`],
    login: 'each agent',
  },
};

/**
 * A login of the hub is for the address that the hub reaches: where the agent makes the address, there is none. Where
 * neither the place nor the credential names a variable, there is nothing to see.
 */
const isPossible = (place: string, credential: Credential): boolean => {
  if (credential.login === 'the hub' && ['origin', 'path', 'query'].includes(place)) return false;
  return place !== 'nowhere' || credential.shows('alpha').join() !== credential.shows('beta').join();
};

const urlCells = (transport: 'streamable_http' | 'sse'): readonly Cell[] =>
  Object.entries(URL_PLACES).flatMap(([place, at]) =>
    Object.entries(CREDENTIALS)
      .filter(([, credential]) => isPossible(place, credential))
      .map(([kind, credential]) => {
        const short = transport === 'sse' ? 'sse' : 'http';
        const name = `${short}-${place}-${kind}`;
        return {
          name,
          transport,
          config: ({ origin }: CellPlaces) => {
            const url = `${origin}/${short}/${name}`;
            return { mcp_server_type: transport, ...at.members(url), ...credential.members(url) };
          },
          shows: (agent: string) => [...at.shows(agent), ...credential.shows(agent)],
          ...(credential.login === undefined ? {} : { login: credential.login }),
        };
      }),
  );

const PROGRAM = fileURLToPath(new URL('looking-program.mjs', import.meta.url));

const PROGRAM_PLACES: Readonly<Record<string, (homes: string) => object>> = {
  command: (homes) => ({ command: `${homes}/{{ WHO }}/node` }),
  args: () => ({ args: [PROGRAM, '--who', 'it is ${WHO}'] }),
  env: () => ({ env: { SPOT: 'it is {{ WHO }}' } }),
  cwd: (homes) => ({ cwd: `${homes}/\${WHO}` }),
};

const programCells = (transport: 'stdio' | 'listening program'): readonly Cell[] =>
  Object.entries(PROGRAM_PLACES).map(([place, members]) => {
    const name = `${transport === 'stdio' ? 'stdio' : 'listening'}-${place}`;
    return {
      name,
      transport,
      config: ({ homes, notes }: CellPlaces) => {
        const given = members(homes) as { readonly env?: object };
        return {
          mcp_server_type: 'stdio',
          command: process.execPath,
          args: [PROGRAM],
          ...given,
          env: { NAME: name, NOTES: notes, ...given.env },
          ...(transport === 'stdio' ? {} : { listen: {} }),
        };
      },
      shows: (agent: string) => [['command', 'cwd'].includes(place) ? `/${agent}` : `it is ${agent}`],
    };
  });

export const CELLS: readonly Cell[] = [
  ...urlCells('streamable_http'),
  ...urlCells('sse'),
  ...programCells('stdio'),
  ...programCells('listening program'),
];
