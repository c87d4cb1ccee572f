import { useEffect, useMemo } from 'react';
import { useHttp } from '../hub.js';
import { McpConnection } from './mcp-connection.js';

/** A session with an MCP endpoint, for as long as the page shows it. It is opened by its first use. */
export const useMcp = (path: string): McpConnection => {
  const http = useHttp();
  const connection = useMemo(() => new McpConnection(http, path), [http, path]);
  useEffect(() => connection.hold(), [connection]);
  return connection;
};
