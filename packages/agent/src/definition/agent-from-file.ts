import { open } from 'node:fs/promises';
import { tryJson } from '@plugboard/base';
import { type AgentDefinition, PlugboardError } from '@plugboard/contract';
import { parseAgent } from './parse-agent.js';

const MAX_BYTES = 4 * 1024 * 1024;

const readText = async (path: string): Promise<string> => {
  const file = await open(path, 'r');
  try {
    const facts = await file.stat();
    if (!facts.isFile() || facts.size > MAX_BYTES) {
      throw new PlugboardError('INVALID_ARGUMENT', `${path} is not a file of at most 4 MiB.`);
    }
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
};

/** Reads an agent from a JSON file. */
export const agentFromFile = async (path: string): Promise<AgentDefinition> => {
  const text = await readText(path).catch((error: unknown) => {
    if (error instanceof PlugboardError) throw error;
    throw new PlugboardError('NOT_FOUND', `The agent file ${path} cannot be read.`, { cause: error });
  });
  const value = tryJson(text);
  if (value === undefined) throw new PlugboardError('INVALID_JSON', `The agent file ${path} is not JSON.`);
  return parseAgent(value);
};
