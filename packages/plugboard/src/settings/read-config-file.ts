import { hasErrorCode } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';
import type { z } from 'zod';
import { parseJsonc } from '../mcp-json/jsonc.js';
import { configFile, type ConfigFile } from './config-file.js';
import { readTextFile, UnusableFile } from './read-text-file.js';

const isMissing = (thrown: unknown): boolean => hasErrorCode(thrown, 'ENOENT', 'ENOTDIR');

/** What tells one kind of entry from another: without it, the entry is not meant to be of that kind. */
const KIND: ReadonlySet<unknown> = new Set(['command', 'url', 'serverUrl']);

/** Of several shapes, the one that the entry is meant to have. */
const meantShape = (shapes: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] | undefined =>
  shapes.find((issues) => !issues.some(({ path, code }) => code === 'invalid_type' && KIND.has(path[0]))) ?? undefined;

const describeIssue = (issue: z.core.$ZodIssue): string => {
  const meant = issue.code === 'invalid_union' ? meantShape(issue.errors) : undefined;
  if (meant !== undefined && meant.length > 0) {
    return meant.map((each) => describeIssue({ ...each, path: [...issue.path, ...each.path] })).join('; ');
  }
  const where = issue.path.map(String).join('.');
  return where === '' ? issue.message : `${where}: ${issue.message}`;
};

const invalid = (path: string, why: string, cause?: unknown): PlugboardError =>
  new PlugboardError('CONFIG_INVALID', `The configuration file ${path} is not usable: ${why}`, {
    hint: 'Compare it with docs/plugboard.schema.json; an editor checks it for you when "$schema" names that file.',
    cause,
  });

/** Reads and checks plugboard.json. A file that nobody asked for may be missing. */
export const readConfigFile = async (path: string, required: boolean): Promise<ConfigFile | undefined> => {
  let text: string;
  try {
    text = await readTextFile(path);
  } catch (thrown) {
    if (isMissing(thrown) && !required) return undefined;
    throw isMissing(thrown)
      ? new PlugboardError('CONFIG_INVALID', `There is no configuration file at ${path}.`, {
          hint: 'Check the path given with --config or PLUGBOARD_CONFIG.',
          cause: thrown,
        })
      : invalid(path, thrown instanceof UnusableFile ? `${thrown.message}.` : 'it cannot be read.', thrown);
  }
  const json = parseJsonc(text);
  if (!json.ok) throw invalid(path, `line ${json.line}: ${json.why}`);
  const parsed = configFile.safeParse(json.value);
  if (!parsed.success) throw invalid(path, parsed.error.issues.map(describeIssue).join('; '));
  return parsed.data;
};
