// The conformance checks of MCPJam's SDK on one address; the result as JSON.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROGRAMS } from './launch.mjs';

const SDK = path.join(PROGRAMS, 'node_modules', '@mcpjam', 'sdk', 'dist', 'index.js');
const { MCPConformanceTest } = await import(pathToFileURL(SDK).href);
const { checks } = await new MCPConformanceTest({ serverUrl: process.argv[2], checkTimeout: 15_000 }).run();
const failed = checks.filter(({ status }) => status === 'failed');
process.stdout.write(
  `\n${JSON.stringify({
    passed: checks.filter(({ status }) => status === 'passed').length,
    skipped: checks.filter(({ status }) => status === 'skipped').length,
    failed: failed.map(({ id, error }) => ({ id, message: String(error?.message ?? '').slice(0, 200) })),
  })}\n`,
);
process.exit();
