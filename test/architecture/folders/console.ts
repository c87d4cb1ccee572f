import type { FolderTable } from '../folder-rules.js';

/** The frame first, then a folder for each thing that a person does. They share `api` and `ui`. */
export const CONSOLE: FolderTable = {
  '.': ['app', 'style'],
  app: [
    'api',
    'audit',
    'checks',
    'home',
    'keys',
    'servers',
    'session',
    'settings',
    'tools',
    'toolsets',
    'traffic',
    'ui',
  ],
  home: ['api', 'endpoint', 'servers', 'ui'],
  servers: ['api', 'tools', 'ui'],
  session: ['api', 'ui'],
  toolsets: ['api', 'endpoint', 'ui'],
  traffic: ['api', 'audit', 'ui'],
  audit: ['api', 'ui'],
  checks: ['api', 'ui'],
  endpoint: ['ui'],
  keys: ['api', 'ui'],
  settings: ['api', 'ui'],
  tools: ['api', 'ui'],
  api: [],
  ui: [],
  style: [],
};
