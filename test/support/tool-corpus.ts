import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ToolDefinition } from '@plugboard/contract';
import { brokenTools } from '@plugboard/testing';

const FOLDER = join(import.meta.dirname, '../../packages/schema/corpus');

/** The tools of one server as it listed them. */
export interface CorpusServer {
  readonly name: string;
  readonly tools: readonly ToolDefinition[];
}

/** Definitions that no model and hardly any client can use. */
export const brokenDefinitions: readonly ToolDefinition[] = brokenTools.map(({ name, description, inputSchema }) => ({
  name,
  description,
  inputSchema,
}));

/** Every server of the corpus of real tools, and the one with the broken tools. */
export const corpusServers = async (): Promise<readonly CorpusServer[]> => {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.json'));
  const servers = files.map(async (file): Promise<CorpusServer> => {
    const { tools } = JSON.parse(await readFile(join(FOLDER, file), 'utf8')) as { readonly tools: ToolDefinition[] };
    return { name: file.slice(0, -'.json'.length), tools };
  });
  return [...(await Promise.all(servers)), { name: 'broken', tools: brokenDefinitions }];
};
