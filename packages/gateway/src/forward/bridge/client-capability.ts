import { isJsonObject, type JsonObject } from '@plugboard/wire';
import { objectAt } from '../../rpc/members.js';
import { TASKS_EXTENSION } from '../../connection/task-support.js';

/** The requests whose result may ask the client for input. */
export const MAY_ASK: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** The capability that a client must have declared to be asked this; undefined for anything else. */
export const capabilityFor = (method: string, params: unknown): JsonObject | undefined => {
  const asked = isJsonObject(params) ? params : {};
  switch (method) {
    case 'sampling/createMessage':
      return { sampling: asked['tools'] === undefined ? {} : { tools: {} } };
    case 'elicitation/create':
      return { elicitation: asked['mode'] === 'url' ? { url: {} } : {} };
    case 'roots/list':
      return { roots: {} };
    default:
      return undefined;
  }
};

/** Did the client declare it? An elicitation capability without modes means forms. */
export const declares = (capabilities: JsonObject, needed: JsonObject): boolean =>
  Object.entries(needed).every(([name, modes]) => {
    if (!isJsonObject(capabilities[name])) return false;
    const declared = objectAt(capabilities, name);
    if (isJsonObject(modes) && Object.keys(modes).length > 0) {
      return Object.keys(modes).every((mode) => mode in declared);
    }
    return name !== 'elicitation' || !('url' in declared) || 'form' in declared;
  });

/** How the official SDKs say it, in their first and in their second version. */
const REFUSALS = [
  /\b(?:does not|doesn't|not)\s+support(?:ed)?\b[^.]*\b(sampling|elicitation|roots)\b/iu,
  /\((sampling|elicitation|roots)\/\w+\)[^.]*\bdid not declare the required capability\b/iu,
];

/** A sentence, not a book: the server decides how long its text is. */
const MAX_CHARS = 2000;

/** A legacy server says in words that it needs a capability; which one, if the client really lacks it. */
export const capabilityInWords = (text: string, capabilities: JsonObject): JsonObject | undefined => {
  const words = text.slice(0, MAX_CHARS);
  const name = REFUSALS.map((refusal) => refusal.exec(words)?.[1]?.toLowerCase()).find((found) => found !== undefined);
  return name === undefined || isJsonObject(capabilities[name]) ? undefined : { [name]: {} };
};

/**
 * The capabilities of a legacy client as a modern request declares them. It can follow a task only when it asked for
 * one, so that is declared with the requests that did.
 */
export const toModernCapabilities = (capabilities: JsonObject): JsonObject => {
  const { roots, tasks: _legacyTasks, extensions, ...rest } = capabilities;
  const { [TASKS_EXTENSION]: _tasks, ...others } = isJsonObject(extensions) ? extensions : {};
  return {
    ...rest,
    ...(Object.keys(others).length === 0 ? {} : { extensions: others }),
    ...(isJsonObject(roots) ? { roots: {} } : {}),
  };
};
