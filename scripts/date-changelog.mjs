// Part of `npm run release:version`: gives what is unreleased in CHANGELOG.md the new version and its date, and writes the
// version where the sources state it.
import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

const UNRELEASED = '## Unreleased\n';

/** The changelog with its unreleased changes under a version, below an empty heading for the next ones. */
export const dateChangelog = (text, version, date) => {
  if (!text.includes(UNRELEASED)) throw new Error('CHANGELOG.md has no heading "Unreleased".');
  return text.replace(UNRELEASED, `${UNRELEASED}\n## ${version} (${date})\n`);
};

/** A source file in which the constant VERSION has the new value. */
export const writeVersion = (text, version) =>
  text.replace(/export const VERSION = '[^']*';/u, `export const VERSION = '${version}';`);

const change = async (file, rewrite) => writeFile(file, rewrite(await readFile(file, 'utf8')));

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { version } = JSON.parse(await readFile('packages/plugboard/package.json', 'utf8'));
  const today = new Date().toISOString().slice(0, 10);
  await change('CHANGELOG.md', (text) => dateChangelog(text, version, today));
  await change('package.json', (text) => text.replace(/"version": "[^"]*"/u, `"version": "${version}"`));
  for (const name of ['plugboard', 'servers', 'client']) {
    await change(`packages/${name}/src/version.ts`, (text) => writeVersion(text, version));
  }
}
