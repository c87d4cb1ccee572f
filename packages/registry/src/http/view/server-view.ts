import type { ProgramFacts, Server, ServerStatus, ServerView, SyncReport } from '@plugboard/contract';
import { maskedConfig } from './masked-config.js';

export interface ServerFacts {
  readonly status: ServerStatus;
  readonly toolCount: number;
  /** Changed tools about which nobody has decided. */
  readonly heldToolCount: number;
  /** Variables without a value. */
  readonly missing: readonly string[];
  /** How its programs fare. */
  readonly program?: ProgramFacts | undefined;
  /** What the sync that came with this request did. */
  readonly sync?: SyncReport | undefined;
}

/** A server as the id-keyed routes show it: the members of its config beside its id. */
export const serverView = (
  server: Server,
  { status, toolCount, heldToolCount, missing, program, sync }: ServerFacts,
): ServerView => {
  const { config, ...members } = server;
  return {
    ...members,
    ...maskedConfig(config),
    status,
    tool_count: toolCount,
    held_tool_count: heldToolCount,
    missing_variables: [...missing],
    ...(program === undefined ? {} : { program }),
    ...(sync === undefined ? {} : { sync }),
  };
};
