import { BUNDLED_MODULES } from '../isolate/bundled-modules.js';

const MODULES = `Import one of ${BUNDLED_MODULES.join(', ')}; others are not available.`;
const NO_NETWORK = 'The sandbox has no network. The operator can allow hosts with --allow-fetch.';
const NO_FILES =
  'The sandbox has no file system. Use files.readText(name), files.read(name) and files.write(name, data).';
const NO_PAGE = 'The sandbox is not a browser: there is no page.';

/** Globals of other environments that the sandbox leaves out on purpose, and what to do instead. */
const MISSING: Readonly<Record<string, string>> = {
  fetch: NO_NETWORK,
  XMLHttpRequest: NO_NETWORK,
  WebSocket: NO_NETWORK,
  EventSource: NO_NETWORK,
  require: `The sandbox has no require. ${MODULES}`,
  module: 'The sandbox has no CommonJS modules. Use export, or end with the value.',
  exports: 'The sandbox has no CommonJS modules. Use export, or end with the value.',
  process: 'The sandbox has no process, environment or arguments.',
  Deno: NO_FILES,
  Bun: NO_FILES,
  fs: NO_FILES,
  document: NO_PAGE,
  window: `${NO_PAGE} Use globalThis for global variables.`,
  localStorage: `${NO_PAGE} Use a session to keep variables.`,
  Worker: 'The sandbox runs one thread.',
  WebAssembly: 'The sandbox runs JavaScript and TypeScript only.',
  prompt: 'Prompts are not available: pass values in the code or as files.',
};

/** The hint for an error that comes from something left out by design; undefined for any other. */
export const missingByDesign = (name: string, message: string): string | undefined => {
  if (message.startsWith('There is no module ')) return MODULES;
  const global = /^'?(?<name>[\w$]+)'? is not defined$/u.exec(message)?.groups?.['name'] ?? '';
  return name === 'ReferenceError' && Object.hasOwn(MISSING, global) ? MISSING[global] : undefined;
};
