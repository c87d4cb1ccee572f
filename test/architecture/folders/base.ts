import type { FolderTable } from '../folder-rules.js';

export const BASE: FolderTable = {
  '.': ['address', 'bytes', 'concurrency', 'file', 'json', 'text', 'wait'],
  address: [],
  bytes: [],
  concurrency: [],
  file: [],
  json: [],
  text: [],
  wait: [],
};
