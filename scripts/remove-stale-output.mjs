// Removes what the compiler wrote for sources that have since been moved or deleted: `tsc -b` leaves it behind, and
// `npm pack` would publish it. Only files with a declaration beside them come from the compiler; bundles are left alone.
import { existsSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DECLARATION = '.d.ts';
const OUTPUTS = ['.d.ts', '.d.ts.map', '.js', '.js.map'];

/** Removes the stale output of one package below `folder`, and the folders that are empty then. Returns the removed modules. */
const removeIn = async (source, output, folder) => {
  const removed = [];
  const entries = await readdir(join(output, folder), { withFileTypes: true });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      removed.push(...(await removeIn(source, output, path)));
    } else if (path.endsWith(DECLARATION)) {
      const module = path.slice(0, -DECLARATION.length);
      if (['.ts', '.tsx'].some((ending) => existsSync(join(source, module + ending)))) continue;
      for (const ending of OUTPUTS) await rm(join(output, module + ending), { force: true });
      removed.push(module);
    }
  }
  if (removed.length > 0 && (await readdir(join(output, folder))).length === 0) await rmdir(join(output, folder));
  return removed;
};

const packages = process.argv[2] ?? fileURLToPath(new URL('../packages', import.meta.url));
for (const name of await readdir(packages)) {
  const output = join(packages, name, 'dist');
  if (!existsSync(output)) continue;
  const removed = await removeIn(join(packages, name, 'src'), output, '');
  if (removed.length > 0) console.log(`removed stale output of ${name}: ${removed.join(', ')}`);
}
