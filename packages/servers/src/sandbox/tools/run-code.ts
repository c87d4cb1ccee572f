import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { BUNDLED_MODULES } from '../isolate/bundled-modules.js';
import { SandboxError } from '../sandbox-error.js';
import type { SandboxSettings } from '../run/sandbox-settings.js';
import type { RunInput, Sandbox } from '../run/sandbox.js';
import { beating } from './progress-beat.js';
import { describeRun, runShape, runText } from './run-shape.js';
import { answer } from '../../serve/tool-answer.js';
import { guarded } from './guarded.js';

const MIB = 1024 * 1024;

const inputShape = (sandbox: Sandbox) => {
  const { limits, maxCodeBytes } = sandbox.settings;
  return z.object({
    code: z
      .string()
      .min(1)
      .max(maxCodeBytes)
      .describe('The program. The value of its last expression is the result; await works at the top level.'),
    language: z
      .enum(['javascript', 'typescript'])
      .default('javascript')
      .describe('What the code is written in. Types are removed, not checked.'),
    session_id: z
      .string()
      .optional()
      .describe('Continue in this session, with its variables and files. Without it, the code starts with none.'),
    files: z
      .array(z.string())
      .max(limits.fileCount)
      .default([])
      .describe('Handles of files that the code may read, by name, with files.readText(name) or files.read(name).'),
    cpu_ms: z.number().int().min(1).max(limits.cpuMs).optional().describe('The CPU time limit of the code.'),
    time_ms: z
      .number()
      .int()
      .min(1)
      .max(limits.timeMs)
      .optional()
      .describe('How long the run may last, waiting included.'),
    memory_mb: z
      .number()
      .int()
      .min(1)
      .max(Math.floor(limits.memoryBytes / MIB))
      .optional()
      .describe('How much memory the code may use, in MiB.'),
  });
};

type Input = z.infer<ReturnType<typeof inputShape>>;

const runInput = ({ code, language, session_id, files, cpu_ms, time_ms, memory_mb }: Input): RunInput => ({
  code,
  language,
  sessionId: session_id,
  files,
  limits: {
    ...(cpu_ms === undefined ? {} : { cpuMs: cpu_ms }),
    ...(time_ms === undefined ? {} : { timeMs: time_ms }),
    ...(memory_mb === undefined ? {} : { memoryBytes: memory_mb * MIB }),
  },
});

const description = ({ fetch }: SandboxSettings): string =>
  `Runs JavaScript or TypeScript in an isolate without file system or processes${
    fetch === undefined ? ', and without network' : ''
  }. Returns the value of the last expression (or of a top-level return, or the exports), the console and the files \
that were written. Available: console, files (list, exists, read, readText, write, remove), timers, URL, TextEncoder, \
crypto, structuredClone, Intl, Buffer${
    fetch === undefined ? '' : `, fetch (to ${fetch.hosts.join(', ')})`
  }, and imports of ${BUNDLED_MODULES.join(', ')}.`;

export const registerRunCode = (server: McpServer, sandbox: Sandbox): void => {
  server.registerTool(
    'run_code',
    {
      title: 'Run code',
      description: description(sandbox.settings),
      inputSchema: inputShape(sandbox),
      outputSchema: runShape,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    async (input, context) =>
      guarded(async () => {
        if (Buffer.byteLength(input.code) > sandbox.settings.maxCodeBytes) {
          throw new SandboxError(
            'ARGUMENT_INVALID',
            `The code may have at most ${sandbox.settings.maxCodeBytes} bytes.`,
          );
        }
        const { sessionId: owner, mcpReq } = context;
        const result = await beating(context, 'Running', () =>
          sandbox.run(runInput(input), { owner, signal: mcpReq.signal }),
        );
        const report = describeRun(result);
        const done = answer(report, runText(report));
        return report.status === 'completed' ? done : { ...done, isError: true };
      }),
  );
};
