import {
  PlugboardError,
  type ConnectConfig,
  type NamedServerUpdate,
  type ServerConfig,
  type ServerUpdate,
} from '@plugboard/contract';

const MEMBERS: Readonly<Record<ServerConfig['mcp_server_type'], readonly string[]>> = {
  stdio: ['command', 'args', 'env', 'cwd', 'sandbox', 'variables'],
  sse: ['server_url', 'auth_header', 'auth_token', 'custom_headers', 'oauth', 'variables'],
  streamable_http: ['server_url', 'auth_header', 'auth_token', 'custom_headers', 'oauth', 'variables'],
};

const refuse = (field: string, message: string, type: string): PlugboardError =>
  new PlugboardError('VALIDATION_FAILED', `"${field}" in the body ${message}.`, {
    hint: `This server is of type ${type}; it accepts ${MEMBERS[type as ServerConfig['mcp_server_type']].join(', ')}.`,
    details: { issues: [{ path: field, message }] },
  });

/** A change in the form of the name-keyed routes, as the registry takes it. */
export const fromNamedUpdate = (
  update: NamedServerUpdate,
  stored: Pick<ConnectConfig, 'mcp_server_type'>,
): ServerUpdate => {
  const type = stored.mcp_server_type;
  if (update.type !== undefined && update.type !== type) throw refuse('type', 'cannot be changed', type);
  const { server_name, type: _kind, token, stdio_config, missing_variables: _shown, ...flat } = update;
  const { server_name: blockName, type: _blockKind, ...block } = stdio_config ?? {};
  const members = { ...flat, ...(token === undefined ? {} : { auth_token: token }), ...block };
  const alien = Object.keys(members).find((field) => !MEMBERS[type].includes(field));
  if (alien !== undefined) throw refuse(alien, 'does not belong to this kind of server', type);
  const name = server_name ?? blockName;
  return {
    ...(name === undefined ? {} : { server_name: name }),
    ...(Object.keys(members).length === 0 ? {} : { config: { mcp_server_type: type, ...members } }),
  };
};
