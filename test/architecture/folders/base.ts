import type { FolderTable } from '../folder-rules.js';

export const BASE: FolderTable = {
  '.': ['address', 'bytes', 'concurrency', 'json', 'text', 'wait'],
  address: [],
  bytes: [],
  concurrency: [],
  json: [],
  text: [],
  wait: [],
};
