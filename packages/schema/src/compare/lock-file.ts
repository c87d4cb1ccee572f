import { isJsonObject } from '@plugboard/base';
import { PlugboardError, toolDefinition, type ToolDefinition } from '@plugboard/contract';
import { ownMember } from '../document/json-schema.js';
import { contractHash } from './contract-hash.js';

/** A tool as it was when somebody accepted it. */
export interface LockedTool {
  readonly hash: string;
  readonly definition: ToolDefinition;
}

export interface LockedServer {
  /** The name that the server gives itself; absent when it is unknown. */
  readonly server?: string;
  /** What the server tells the model about itself. */
  readonly instructions?: string;
  /** By name, in alphabetical order. */
  readonly tools: Readonly<Record<string, LockedTool>>;
}

/** The content of `mcp.lock.json`: what every pinned server offered when it was accepted. */
export interface LockFile {
  readonly lockfileVersion: 1;
  readonly servers: Readonly<Record<string, LockedServer>>;
}

const inOrder = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Pins what a server offers now. `_meta` is left out: it may differ with every answer. */
export const lockServer = (tools: readonly ToolDefinition[], instructions?: string, server?: string): LockedServer => {
  const locked = tools.map((tool): [string, LockedTool] => {
    const { _meta, ...definition } = tool;
    return [tool.name, { hash: contractHash(tool), definition }];
  });
  return {
    ...(server === undefined ? {} : { server }),
    ...(instructions === undefined ? {} : { instructions }),
    tools: inOrder(Object.fromEntries(locked)),
  };
};

/** The text of the file: the same lock always gives the same text. */
export const formatLock = (lock: LockFile): string => {
  const servers = Object.entries(inOrder(lock.servers)).map(([name, { tools, ...server }]) => [
    name,
    { ...server, tools: inOrder(tools) },
  ]);
  return `${JSON.stringify({ lockfileVersion: lock.lockfileVersion, servers: Object.fromEntries(servers) }, undefined, 2)}\n`;
};

const unreadable = (what: string): PlugboardError =>
  new PlugboardError('CONFIG_INVALID', `The lock file cannot be read: ${what}.`, {
    hint: 'Regenerate it with `plugboard lock`, after reviewing the changes.',
  });

const readTool = (name: string, value: unknown): LockedTool => {
  const definition = isJsonObject(value) ? toolDefinition.safeParse(ownMember(value, 'definition')) : undefined;
  const hash = isJsonObject(value) ? ownMember(value, 'hash') : undefined;
  if (definition?.success !== true || typeof hash !== 'string') {
    throw unreadable(`the entry of tool "${name}" is damaged`);
  }
  return { hash, definition: definition.data };
};

const readServer = (name: string, value: unknown): LockedServer => {
  const tools = isJsonObject(value) ? ownMember(value, 'tools') : undefined;
  if (!isJsonObject(value) || !isJsonObject(tools)) throw unreadable(`the entry of server "${name}" is damaged`);
  const instructions = ownMember(value, 'instructions');
  const server = ownMember(value, 'server');
  return {
    ...(typeof server === 'string' ? { server } : {}),
    ...(typeof instructions === 'string' ? { instructions } : {}),
    tools: Object.fromEntries(Object.entries(tools).map(([tool, entry]) => [tool, readTool(tool, entry)])),
  };
};

/** Reads the text of a lock file, or throws CONFIG_INVALID with what is wrong with it. */
export const parseLock = (text: string): LockFile => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable('it is not JSON');
  }
  if (!isJsonObject(value) || value['lockfileVersion'] !== 1) throw unreadable('its version is not 1');
  const servers = value['servers'];
  if (!isJsonObject(servers)) throw unreadable('it has no servers');
  return {
    lockfileVersion: 1,
    servers: Object.fromEntries(Object.entries(servers).map(([name, entry]) => [name, readServer(name, entry)])),
  };
};
