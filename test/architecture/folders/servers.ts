import type { FolderTable } from '../folder-rules.js';

export const SERVERS: FolderTable = {
  collections: ['.', 'sandbox', 'send', 'serve'],
  documents: ['.', 'serve'],
  sandbox: ['.', 'send', 'serve'],
  send: [],
  serve: [],
  '.': [],
};
