// Bundles the CLI, in the place of what the compiler made of its entry, the thread that it starts, and late libraries.
import { chmod } from 'node:fs/promises';
import { rolldown } from 'rolldown';
import { entry, input, libraries, output, removeChunks, threadInput, threadOutput } from './cli-bundle.mjs';

await removeChunks();
for (const [from, to] of [[input, output], [threadInput, threadOutput], ...libraries]) {
  const bundle = await rolldown(from);
  await bundle.write(to);
  await bundle.close();
}
await chmod(entry, 0o755);
