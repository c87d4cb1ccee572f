import type { FolderTable } from '../folder-rules.js';

export const WIRE: FolderTable = {
  '.': ['codec', 'envelope', 'framing', 'header', 'revision', 'scan'],
  codec: ['rev-2024-11-05', 'rev-2025-03-26', 'rev-2025-06-18', 'rev-2025-11-25', 'rev-2026-07-28', 'revision'],
  'rev-2026-07-28': ['envelope', 'header', 'revision'],
  'rev-2025-11-25': ['rev-2025-06-18', 'revision'],
  'rev-2025-06-18': ['rev-2025-03-26', 'revision'],
  'rev-2025-03-26': ['rev-2024-11-05', 'revision'],
  'rev-2024-11-05': ['revision'],
  scan: ['revision'],
  revision: ['envelope'],
  framing: ['envelope'],
  header: [],
  envelope: [],
};
