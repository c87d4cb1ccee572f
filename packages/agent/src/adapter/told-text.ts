import type { Media } from '../result/media.js';
import { outcomeText } from '../result/outcome-text.js';
import type { ToolOutcome } from '../result/tool-outcome.js';

/** Says that there is a picture or a sound. */
export const namedMedia = ({ mimeType }: Media): string =>
  `[The result has content of the type ${mimeType}, which cannot be shown.]`;

/** The outcome as text. Pictures and sounds that the model does not get otherwise are named. */
export const toldText = (outcome: ToolOutcome, named: readonly Media[]): string =>
  [outcomeText(outcome), ...named.map(namedMedia)].filter((text) => text !== '').join('\n');

/** The same for libraries in which an error is a text. */
export const toldWithError = (outcome: ToolOutcome, named: readonly Media[]): string =>
  outcome.isError ? `Error: ${toldText(outcome, named)}` : toldText(outcome, named);
