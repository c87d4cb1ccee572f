import type { ToolDefinition } from '@plugboard/contract';
import {
  isProviderShape,
  librarySupports,
  type ProfileId,
  profileOfShape,
  shapeFor,
  PROVIDER_SHAPES,
  TOOL_LIBRARIES,
  toLibraryShape,
  type ToolLibrary,
  toProviderShape,
} from '@plugboard/schema';
import { didYouMean } from '../../terminal/did-you-mean.js';
import { invalidArgument } from '../command/invalid-argument.js';

/** The limits that tools are adapted to, and how each is written. */
export interface ToolFormat {
  readonly profile: ProfileId;
  /** Writes a tool that was adapted to these rules, which may be less strict than those of the format. */
  readonly write: (adapted: ToolDefinition, profile: ProfileId) => object;
}

const isLibrary = (name: string): name is ToolLibrary => TOOL_LIBRARIES.some((one) => one === name);

const parseLibrary = (name: string): ToolLibrary => {
  if (isLibrary(name)) return name;
  throw invalidArgument(
    `"${name}" is not a known library.`,
    didYouMean(name, TOOL_LIBRARIES, `Known: ${TOOL_LIBRARIES.join(', ')}.`),
  );
};

/** The format of tools by the names of a provider and of a library on the command line; without a provider, OpenAI's limits. */
export const parseToolFormat = (provider = 'openai', library?: string): ToolFormat => {
  if (!isProviderShape(provider)) {
    throw invalidArgument(
      `"${provider}" is not a known provider.`,
      didYouMean(provider, PROVIDER_SHAPES, `Known: ${PROVIDER_SHAPES.join(', ')}.`),
    );
  }
  const profile = profileOfShape(provider);
  if (library === undefined) {
    return { profile, write: (adapted, held) => toProviderShape(adapted, shapeFor(provider, held)) };
  }
  const known = parseLibrary(library);
  if (!librarySupports(known, profile)) {
    throw invalidArgument(
      `${known} has no tools with the limits of ${provider}.`,
      'Use --provider openai or openai-strict, or another library.',
    );
  }
  return { profile, write: (adapted, held) => toLibraryShape(adapted, known, held) };
};
