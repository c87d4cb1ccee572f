import type { FolderTable } from '../folder-rules.js';

/** The steps of a call from the outside in, then what stands beside them. */
export const CLIENT: FolderTable = {
  '.': ['call', 'deadline', 'fast-path/http1', 'error', 'read-buffer', 'negotiate', 'network', 'oauth', 'plugin', 'policy', 'redact', 'supervisor', 'retry', 'session', 'template', 'transport', 'fast-path/line', 'supervisor/program', 'supervisor/sandbox'],
  call: ['deadline', 'fast-path', 'error', 'negotiate', 'policy', 'redact', 'retry', 'session', 'session/loss', 'transport', 'fast-path/line'],
  'session/loss': ['error'],
  retry: ['deadline', 'error', 'policy'],
  policy: ['deadline', 'error'],
  'fast-path': ['fast-path/http1', 'error', 'read-buffer', 'policy', 'session', 'transport', 'fast-path/line', 'fast-path/pipe'],
  'fast-path/pipe': ['error', 'fast-path/line', 'policy', 'read-buffer', 'session', 'transport'],
  'fast-path/line': ['fast-path/http1', 'policy', 'session', 'transport'],
  session: ['deadline', 'fast-path/http1', 'error', 'read-buffer', 'negotiate', 'network', 'redact', 'supervisor', 'transport', 'supervisor/sandbox'],
  negotiate: ['deadline', 'error', 'redact', 'transport'],
  transport: ['deadline', 'fast-path/http1', 'error', 'read-buffer', 'redact', 'session/loss', 'supervisor'],
  'fast-path/http1': ['read-buffer', 'network'],
  supervisor: ['deadline', 'error', 'read-buffer', 'redact', 'supervisor/program', 'supervisor/sandbox'],
  'supervisor/program': [],
  'supervisor/sandbox': ['supervisor/program'],
  deadline: ['error'],
  error: ['redact'],
  redact: [],
  'read-buffer': [],
  network: [],
  oauth: ['error', 'network'],
  plugin: ['deadline'],
  template: [],
};
