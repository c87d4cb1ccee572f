import type { ToolView } from '@plugboard/contract';
import type { HubClient } from '../../hub-api/client/hub-client.js';
import type { Output } from '../../terminal/output.js';
import { printableLine } from '../../terminal/printable.js';

/** How a tool changed, as an operator reads it before deciding. */
export const changeLines = ({ upstream_name, quarantine }: ToolView, { style }: Output): readonly string[] => [
  `${style.bold(printableLine(upstream_name))} changed${quarantine === undefined ? '' : ` (${quarantine.kind})`}:`,
  ...(quarantine?.changes ?? []).map(({ sentence, pointer }) => `  ${printableLine(`${pointer}: ${sentence}`)}`),
];

/** The hash makes sure that the decision is about what was looked at. */
export const decide = async (
  client: HubClient,
  { server_id, id, contract_hash }: ToolView,
  decision: 'approve' | 'reject',
): Promise<void> => {
  const path = `/v1/mcp-servers/${encodeURIComponent(server_id)}/tools/${encodeURIComponent(id)}/${decision}`;
  await client.api.request('POST', path, { body: { contract_hash } });
};
