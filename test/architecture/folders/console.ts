import type { FolderTable } from '../folder-rules.js';

/** The frame first, then a folder for each thing that a person does. They share `api` and `ui`, and import no other. */
export const CONSOLE: FolderTable = {
  '.': ['app', 'style'],
  app: ['api', 'servers', 'session', 'tools', 'ui'],
  servers: ['api', 'tools', 'ui'],
  session: ['api', 'ui'],
  tools: ['api', 'ui'],
  api: [],
  ui: [],
  style: [],
};
