import type { FolderTable } from '../folder-rules.js';

/** The frame first, then a folder for each thing that a person does. They share `api` and `ui`, and import no other. */
export const CONSOLE: FolderTable = {
  '.': ['app', 'style'],
  app: ['api', 'servers', 'session', 'ui'],
  servers: ['api', 'ui'],
  session: ['api', 'ui'],
  api: [],
  ui: [],
  style: [],
};
