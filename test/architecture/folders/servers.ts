import type { FolderTable } from '../folder-rules.js';

export const SERVERS: FolderTable = {
  collections: ['.', 'sandbox', 'send', 'serve'],
  documents: ['.', 'send', 'serve'],
  sandbox: ['.', 'send', 'serve'],
  send: [],
  serve: [],
  '.': [],
};
