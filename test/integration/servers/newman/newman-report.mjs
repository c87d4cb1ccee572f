// Runs every collection of a directory with newman and prints what it found, as JSON.
// node newman-report.mjs <directory> <path of newman>
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [directory, program] = process.argv.slice(2);
const newman = createRequire(import.meta.url)(program);

const run = (file) =>
  new Promise((resolve, reject) => {
    const collection = JSON.parse(readFileSync(join(directory, file), 'utf8'));
    newman.run({ collection, workingDir: directory, reporters: [] }, (error, summary) => {
      if (error) reject(error);
      else resolve(itemRuns(summary.run.executions).map(executionOf));
    });
  });

/** newman lists what scripts sent as executions of the same item; only the item's own request is compared. */
const itemRuns = (executions) => {
  const runs = new Map();
  for (const execution of executions) {
    const { item, request, cursor } = execution;
    const own = request?.url?.getPath({ unresolved: true }) === item.request.url.getPath({ unresolved: true });
    if (own || !runs.has(cursor.ref)) runs.set(cursor.ref, execution);
  }
  return [...runs.values()];
};

const executionOf = ({ item, response, assertions = [], prerequestScript = [], testScript = [] }) => ({
  name: item.name,
  status: response?.code ?? null,
  assertions: assertions.map(({ assertion, skipped, error }) => [
    assertion,
    skipped ? 'skipped' : error ? 'failed' : 'passed',
  ]),
  scriptFailed: [...prerequestScript, ...testScript].some(({ error }) => error !== undefined),
});

const found = {};
for (const file of readdirSync(directory).filter((name) => name.endsWith('.json'))) found[file] = await run(file);
process.stdout.write(JSON.stringify(found));
