import { isJsonObject } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';
import type { MediaPart, UserPart } from '../conversation/message.js';
import type { Effort, OutputFormat, Thinking } from '../conversation/model-request.js';
import type { ServedInput } from './served-input.js';

export const invalid = (message: string, param: string): PlugboardError =>
  new PlugboardError('INVALID_ARGUMENT', message, { details: { param } });

const DATA_URL = /^data:(?<mime>[\w.+/-]+);base64,(?<data>[\w+/=-]+)$/u;

const picture = (url: unknown, param: string): MediaPart => {
  const { mime, data } = (typeof url === 'string' ? DATA_URL.exec(url)?.groups : undefined) ?? {};
  if (mime === undefined || data === undefined) {
    throw invalid('Images are accepted as data URLs in Base64 only: the hub fetches none.', param);
  }
  return { type: 'image', data, mimeType: mime };
};

const sound = (input: unknown, param: string): MediaPart => {
  const { data, format } = isJsonObject(input) ? input : {};
  if (typeof data !== 'string' || typeof format !== 'string') throw invalid('The audio has no data.', param);
  return { type: 'audio', data, mimeType: format === 'mp3' ? 'audio/mpeg' : `audio/${format}` };
};

const partOf = (part: unknown, param: string): UserPart => {
  const { type, text, image_url: image, input_audio: audio } = isJsonObject(part) ? part : {};
  switch (type) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return { type: 'text', text: typeof text === 'string' ? text : '' };
    case 'image_url':
      return picture(isJsonObject(image) ? image['url'] : undefined, param);
    case 'input_image':
      return picture(image, param);
    case 'input_audio':
      return sound(audio, param);
    default:
      throw invalid(`Content of the type "${String(type)}" is not accepted.`, param);
  }
};

/** The content of a message: a text, or a list of parts. */
export const readContent = (content: unknown, param: string): readonly UserPart[] => {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (content === null || content === undefined) return [];
  if (!Array.isArray(content)) throw invalid('The content must be a text or a list of parts.', param);
  return content.map((part) => partOf(part, param));
};

/** Agents have tools of their own; those of the client would never be called. */
export const refuseTools = (tools: unknown): void => {
  if (Array.isArray(tools) && tools.length > 0) {
    throw new PlugboardError('INVALID_ARGUMENT', 'An agent uses its own tools: "tools" is not accepted.', {
      hint: 'Remove "tools". The hub decides which tools the agent has, and calls them.',
      details: { param: 'tools' },
    });
  }
};

export const readFormat = (format: unknown): OutputFormat | undefined => {
  if (!isJsonObject(format) || !isJsonObject(format['schema'])) return undefined;
  const { name, schema, strict } = format;
  return {
    schema,
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof strict === 'boolean' ? { strict } : {}),
  };
};

/** The efforts of OpenAI; `none` is no wish. */
const EFFORTS: Readonly<Record<string, Effort>> = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
};

export const readEffort = (effort: unknown): Thinking | undefined => {
  const known = typeof effort === 'string' && Object.hasOwn(EFFORTS, effort) ? EFFORTS[effort] : undefined;
  return known === undefined ? undefined : { effort: known };
};

/** One text, or a list of them. */
export const readStop = (stop: unknown): readonly string[] | undefined => {
  const texts = (Array.isArray(stop) ? stop : [stop]).filter((one) => typeof one === 'string' && one !== '');
  return texts.length === 0 ? undefined : (texts as readonly string[]);
};

export const numberIn = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** What only this hub understands, in the member `plugboard` of a request. */
export const readHubOptions = ({
  plugboard,
  stream,
}: Readonly<Record<string, unknown>>): Pick<ServedInput, 'events' | 'approvals' | 'toolset'> => {
  const { events, approvals, toolset } = isJsonObject(plugboard) ? plugboard : {};
  if (approvals === true && !(events === true && stream === true)) {
    throw new PlugboardError(
      'INVALID_ARGUMENT',
      'Approvals need a stream with events. Without it, the hub cannot ask anyone.',
      {
        hint: 'Send "stream": true and "plugboard": {"events": true, "approvals": true}.',
        details: { param: 'plugboard.approvals' },
      },
    );
  }
  return {
    events: events === true,
    approvals: approvals === true,
    toolset: typeof toolset === 'string' ? toolset : undefined,
  };
};
