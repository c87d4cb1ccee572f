import type {
  AgentId,
  LoginUser,
  Server,
  ServerId,
  ServerProtocol,
  ToolDefinition,
  ToolResult,
} from '@plugboard/contract';

export interface ReachOptions {
  readonly signal?: AbortSignal | undefined;
  /** The agent on whose behalf, with whose variables. */
  readonly agent?: AgentId | undefined;
  /** Whose login to the server is used; the hub's, or the agent's, when left out. */
  readonly user?: LoginUser | undefined;
}

export interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/**
 * How the registry reaches servers without knowing a transport. Failures are PlugboardErrors of the UPSTREAM, PROCESS,
 * SESSION and CIRCUIT families.
 */
export interface ServerReach {
  /** Every page of tools/list. */
  listTools(server: Server, options?: ReachOptions): Promise<readonly ToolDefinition[]>;
  /** What the server tells models about itself; empty when it tells nothing. */
  instructions?(server: Server, options?: ReachOptions): Promise<string>;
  callTool(server: Server, call: ToolCall, options?: ReachOptions): Promise<ToolResult>;
  /** What the live connection to the server negotiated, when there is one. */
  protocol(id: ServerId): ServerProtocol | undefined;
  /** The server was changed, disabled or deleted: close what is open to it. */
  release(id: ServerId): Promise<void>;
  /** Somebody repaired the server by hand: forget its failures, so that it is tried at once. */
  forgive?(server: Server): Promise<void>;
  /** Closes what is open to the server and ends its programs; the next use starts them. */
  stop?(server: Server): Promise<void>;
  /** An agent was changed or deleted: close what is open on its behalf. */
  releaseAgent?(id: AgentId): Promise<void>;
  /** Somebody logged in or out: close what is open with the login there was. */
  releaseLogin?(id: ServerId, holder: string): Promise<void>;
  /** For how long the server said that its list of tools is fresh, when it did. */
  toolsTtlMs?(id: ServerId): number | undefined;
  /** Called when a session with a server was opened; `isAnother` when it says that it is not who it was. */
  onOpened?(listener: (id: ServerId, isAnother: boolean) => void): () => void;
  /** Called when a server says that its tools changed. Returns the way to stop listening. */
  onToolsChanged(listener: (id: ServerId) => void): () => void;
}
