import type { FolderTable } from '../folder-rules.js';

/** The entry first, then each subject before those that it needs. */
export const CONTRACT: FolderTable = {
  '.': [
    'access',
    'agent',
    'catalogue',
    'check',
    'error',
    'field',
    'hub',
    'json',
    'oauth',
    'secret',
    'server',
    'tool',
    'toolset',
  ],
  catalogue: ['field', 'server', 'tool', 'toolset'],
  hub: ['check', 'error', 'field', 'server'],
  server: ['agent', 'error', 'field', 'oauth', 'secret', 'tool'],
  oauth: ['access', 'error', 'field', 'secret'],
  access: ['agent', 'field', 'tool', 'toolset'],
  agent: ['field', 'secret'],
  check: ['field'],
  json: ['error'],
  secret: ['field'],
  tool: ['field'],
  toolset: ['field'],
  error: [],
  field: [],
};
