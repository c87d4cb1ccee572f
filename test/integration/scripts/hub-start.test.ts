import { type InputOptions, type OutputChunk, type OutputOptions, rolldown } from 'rolldown';
import { expect, it } from 'vitest';

interface CliBundle {
  readonly input: InputOptions;
  readonly output: OutputOptions;
}

const settings = new URL('../../../scripts/cli-bundle.mjs', import.meta.url).href;

/** What is loaded with a chunk at once. */
const loadedWith = (first: OutputChunk, chunks: readonly OutputChunk[]): ReadonlySet<OutputChunk> => {
  const loaded = new Set([first]);
  for (const chunk of loaded) {
    for (const next of chunks) if (chunk.imports.includes(next.fileName)) loaded.add(next);
  }
  return loaded;
};

it('a hub starts without the code of the referee, of benchmarks, of telemetry, of the admin API and of late libraries', async () => {
  const { input, output } = (await import(settings)) as CliBundle;
  const bundle = await rolldown(input);
  const written = await bundle.generate(output);
  await bundle.close();
  const chunks = written.output.filter((file) => file.type === 'chunk');
  const hub = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith('/compose/compose-hub.ts')));
  if (hub === undefined) throw new Error('no chunk composes the hub');
  const modules = [...loadedWith(hub, chunks)].flatMap(({ moduleIds }) => moduleIds);
  const late =
    /fast-check|hdr-histogram|\/check\/src\/(?:checks|load|run)\/|exporter-trace-otlp|sdk-trace-base|\/registry\/src\/http\/route\/|node_modules\/(?:hono|@hono|undici|ajv|ajv-formats|re2js)\//u;
  expect(modules.filter((id) => late.test(id))).toEqual([]);
  // The walk does see what is loaded.
  expect(modules.some((id) => id.includes('/gateway/'))).toBe(true);
}, 60_000);
