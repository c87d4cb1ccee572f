import type { Profile } from '../definition/profile.js';
import { anthropicSchemaRules } from './anthropic.js';
import { RECORDED, from, SOURCE } from './source.js';

/** Cursor hides a tool when the names of server and tool together reach 60 characters. */
export const cursor: Profile = {
  id: 'cursor',
  title: 'Cursor',
  kind: 'host',
  recorded: RECORDED,
  hostPrefix: { before: '', after: '' },
  nullStyle: 'type-list',
  rules: [
    { ...from('HST-01', SOURCE.cursorName), check: 'tool-name', pattern: '^[a-zA-Z0-9_.-]+$', max: 59 },
    { ...from('HST-01', SOURCE.cursorCount, 'warning'), check: 'tool-count', max: 80 },
    { ...from('HST-01', SOURCE.cursorName), check: 'unique-names' },
    { ...from('HST-05', SOURCE.mcpTools), check: 'root-object' },
  ],
};

/** VS Code with Copilot: one array without items disables the tool, the 129th tool fails the request. */
export const vscode: Profile = {
  id: 'vscode',
  title: 'VS Code',
  kind: 'host',
  recorded: RECORDED,
  hostPrefix: { before: 'mcp_', after: '_' },
  nullStyle: 'type-list',
  rules: [
    { ...from('HST-02', SOURCE.vscodeName, 'warning'), check: 'tool-name', pattern: '^[a-zA-Z0-9_.-]+$', max: 64 },
    { ...from('HST-02', SOURCE.vscodeItems), check: 'array-items' },
    { ...from('HST-02', SOURCE.vscodeCount), check: 'tool-count', max: 128 },
    { ...from('HST-02', SOURCE.vscodeName), check: 'unique-names' },
    { ...from('HST-05', SOURCE.mcpTools), check: 'root-object' },
  ],
};

/** Claude Code: names get `mcp__server__` in front, long descriptions are cut. */
export const claudeCode: Profile = {
  id: 'claude-code',
  title: 'Claude Code',
  kind: 'host',
  recorded: RECORDED,
  hostPrefix: { before: 'mcp__', after: '__' },
  nullStyle: 'type-list',
  rules: [
    { ...from('HST-06', SOURCE.claudeCodeName), check: 'tool-name', pattern: '^[a-zA-Z0-9_-]+$', max: 64 },
    { ...from('HST-06', SOURCE.claudeCodeName), check: 'unique-names' },
    { ...from('ANT-06', SOURCE.claudeCodeText, 'warning'), check: 'description', max: 2048 },
    ...anthropicSchemaRules,
  ],
};

/** What a server must have to be listed among Claude's connectors. */
export const claudeConnectors: Profile = {
  id: 'claude-connectors',
  title: 'Claude connector directory',
  kind: 'host',
  recorded: RECORDED,
  nullStyle: 'type-list',
  rules: [
    { ...from('ANT-05', SOURCE.connectors), check: 'tool-name', pattern: '^[a-zA-Z0-9_-]+$', max: 64 },
    { ...from('ANT-05', SOURCE.connectors), check: 'unique-names' },
    { ...from('ANT-05', SOURCE.connectors), check: 'title' },
    { ...from('ANT-05', SOURCE.connectors), check: 'hints' },
    { ...from('ANT-05', SOURCE.connectors), check: 'description', min: 1 },
    ...anthropicSchemaRules,
  ],
};
