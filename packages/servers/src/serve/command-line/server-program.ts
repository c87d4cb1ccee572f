import type { McpRequestContext, McpServer } from '@modelcontextprotocol/server';

/** One flag of a server beside those that every server has. */
export interface ProgramOption {
  readonly type: 'string' | 'boolean';
  /** May be given several times; its value is then a list. */
  readonly multiple?: boolean;
  /** What the value is called in `--help`, for example `dir`. */
  readonly value?: string;
  readonly help: string;
}

export type OptionValue = string | boolean | readonly (string | boolean)[] | undefined;
export type OptionValues = Readonly<Record<string, OptionValue>>;

export interface OpenContext {
  readonly values: OptionValues;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Writes one line to stderr, where people look; stdout belongs to the protocol. */
  readonly log: (line: string) => void;
}

/** What a program serves once its flags are read: shared by all connections. */
export interface ServerParts {
  /** Called for each connection, and for each request that stands alone: keep it cheap, keep state outside. */
  readonly makeServer: (request: McpRequestContext) => McpServer;
  /** More for the answer of `/health`. */
  readonly health?: () => Readonly<Record<string, unknown>>;
  /** Releases what the parts hold; called once, after the last connection ended. */
  readonly close?: () => Promise<void>;
}

export interface ServerProgram {
  /** What people type, for example `plugboard-documents`. */
  readonly name: string;
  readonly version: string;
  /** One sentence for `--help`. */
  readonly summary: string;
  readonly defaultPort: number;
  readonly options?: Readonly<Record<string, ProgramOption>>;
  /** The largest message that is read, in bytes; 4 MiB unless told. */
  readonly maxMessageBytes?: number;
  /** Throws UsageError when a flag makes no sense. */
  readonly open: (context: OpenContext) => ServerParts | Promise<ServerParts>;
}
