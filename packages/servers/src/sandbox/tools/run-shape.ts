import { z } from 'zod';
import { CONSOLE_LEVELS, type GuestValue, type RunOutcome } from '../isolate/isolate-job.js';
import { SANDBOX_ERRORS, type SandboxErrorCode } from '../sandbox-error.js';
import type { RunResult } from '../run/sandbox.js';
import { describeFile, fileShape } from './file-shape.js';
import { BUNDLED_MODULES } from '../isolate/bundled-modules.js';

export const runShape = z.object({
  status: z
    .enum(['completed', 'threw', 'stopped'])
    .describe('completed: the code finished; threw: it threw an error; stopped: a limit stopped it.'),
  result: z
    .object({
      type: z.string().describe('The type of the last expression, as returned by typeof, or null or array.'),
      value: z.unknown().describe('Its value as JSON; values that JSON cannot represent become a word in brackets.'),
    })
    .optional(),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      hint: z.string(),
      name: z.string().optional(),
      stack: z.string().optional(),
    })
    .optional(),
  console: z.array(z.object({ level: z.enum(CONSOLE_LEVELS), text: z.string() })),
  files: z.array(fileShape).describe('Files that the code wrote.'),
  usage: z.object({ cpu_ms: z.number(), elapsed_ms: z.number(), memory_bytes: z.number() }),
});

type RunReport = z.infer<typeof runShape>;

export const describeRun = ({ outcome, console, files, elapsedMs }: RunResult): RunReport => ({
  status: outcome.kind,
  ...(outcome.kind === 'completed' ? { result: valueOf(outcome.value) } : { error: errorOf(outcome) }),
  console: [...console],
  files: files.map(describeFile),
  usage: { cpu_ms: outcome.usage.cpuMs, elapsed_ms: elapsedMs, memory_bytes: outcome.usage.memoryBytes },
});

const valueOf = ({ type, json }: GuestValue): { type: string; value: unknown } => ({
  type,
  value: json === undefined ? null : JSON.parse(json),
});

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

const errorOf = (outcome: Exclude<RunOutcome, { kind: 'completed' }>): NonNullable<RunReport['error']> => {
  const code: SandboxErrorCode = outcome.kind === 'stopped' ? outcome.code : 'CODE_THREW';
  const { sentence, hint } = SANDBOX_ERRORS[code];
  if (outcome.kind === 'stopped') return { code, message: sentence, hint };
  const { name, message, stack } = outcome.error;
  const missing = missingByDesign(name, message);
  return {
    code,
    message: message === '' ? sentence : message,
    hint: missing ?? hint,
    name,
    ...(stack === '' ? {} : { stack }),
  };
};

/** The report as a person would want to read it. */
export const runText = ({ status, result, error, console, files }: RunReport): string => {
  const lines: string[] = [];
  if (error !== undefined && status === 'threw') {
    lines.push(
      `${error.name ?? 'Error'}: ${error.message}`,
      ...(missingByDesign(error.name ?? '', error.message) === undefined ? [] : [error.hint]),
      ...(error.stack === undefined ? [] : [error.stack.trimEnd()]),
    );
  }
  if (error !== undefined && status === 'stopped') lines.push(`${error.code}: ${error.message} ${error.hint}`);
  if (result !== undefined) {
    const { type, value } = result;
    lines.push(type === 'undefined' ? 'undefined' : typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  }
  if (console.length > 0) lines.push('', 'Console:', ...console.map(({ level, text }) => `[${level}] ${text}`));
  if (files.length > 0) {
    lines.push('', 'Files:', ...files.map(({ name, size, handle }) => `${name} (${size} bytes) ${handle}`));
  }
  return lines.join('\n');
};
