import { maskArguments, maskTemplate, maskUrl, type ServerConfig, type ServerView } from '@plugboard/contract';

type Values = Readonly<Record<string, string>> | null | undefined;

/** Stored values are only shown masked, so they are compared as far as their masks tell. */
const sameSecrets = (given: Values, shown: Values): boolean => {
  const left = Object.entries(given ?? {});
  const right = shown ?? {};
  return (
    left.length === Object.keys(right).length && left.every(([name, value]) => right[name] === maskTemplate(value))
  );
};

const sameList = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((word, index) => word === right[index]);

/** Is this the server that is registered already? */
export const isSameServer = (config: ServerConfig, server: ServerView): boolean => {
  if (config.mcp_server_type === 'stdio') {
    return (
      server.mcp_server_type === 'stdio' &&
      config.command === server.command &&
      sameList(maskArguments(config.args), server.args) &&
      sameSecrets(config.env, server.env)
    );
  }
  return (
    server.mcp_server_type === config.mcp_server_type &&
    maskUrl(config.server_url) === server.server_url &&
    sameSecrets(config.custom_headers, server.custom_headers)
  );
};
