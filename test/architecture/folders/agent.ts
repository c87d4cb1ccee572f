import type { FolderTable } from '../folder-rules.js';

export const AGENT: FolderTable = {
  '.': ['adapter', 'definition', 'discover', 'name', 'result', 'run', 'tool'],
  adapter: ['result', 'run', 'tool'],
  run: ['result', 'tool'],
  tool: ['discover', 'result'],
  discover: [],
  definition: [],
  name: [],
  result: [],
};
