// Bundles the CLI, in the place of what the compiler made of its entry, and the thread that it starts.
import { chmod } from 'node:fs/promises';
import { rolldown } from 'rolldown';
import { entry, input, output, removeChunks, threadInput, threadOutput } from './cli-bundle.mjs';

await removeChunks();
for (const [from, to] of [
  [input, output],
  [threadInput, threadOutput],
]) {
  const bundle = await rolldown(from);
  await bundle.write(to);
  await bundle.close();
}
await chmod(entry, 0o755);
