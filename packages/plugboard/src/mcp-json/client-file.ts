import { isJsonObject } from '@plugboard/base';
import { parseJsonc } from './jsonc.js';

type Json = Readonly<Record<string, unknown>>;

/** A value that VS Code asks its user for. */
export interface InputQuestion {
  readonly id: string;
  readonly description: string;
}

export type ClientFile =
  | {
      readonly ok: true;
      readonly entries: readonly (readonly [name: string, entry: unknown])[];
      readonly inputs: readonly InputQuestion[];
    }
  | { readonly ok: false; readonly why: string };

/** `mcpServers` (most clients), `servers` (VS Code), or either under `mcp` (settings.json of VS Code). */
const findServers = (root: Json): Json | undefined => {
  const nested = isJsonObject(root['mcp']) ? root['mcp'] : {};
  return [root['mcpServers'], root['servers'], nested['mcpServers'], nested['servers']].find(isJsonObject);
};

const findInputs = (root: Json): readonly InputQuestion[] => {
  const nested = isJsonObject(root['mcp']) ? root['mcp']['inputs'] : undefined;
  const inputs = root['inputs'] ?? nested;
  if (!Array.isArray(inputs)) return [];
  return inputs
    .filter(isJsonObject)
    .flatMap((input) =>
      typeof input['id'] === 'string'
        ? [{ id: input['id'], description: typeof input['description'] === 'string' ? input['description'] : '' }]
        : [],
    );
};

/** The servers in the text of a client's file, not yet looked at one by one. */
export const parseClientFile = (text: string): ClientFile => {
  const json = parseJsonc(text);
  if (!json.ok) return { ok: false, why: `line ${json.line}: ${json.why}` };
  const root = json.value;
  if (!isJsonObject(root)) return { ok: false, why: 'it is not a JSON object' };
  const servers = findServers(root);
  if (servers === undefined) return { ok: false, why: 'it has neither "mcpServers" nor "servers"' };
  return { ok: true, entries: Object.entries(servers), inputs: findInputs(root) };
};
