import type { MediaPart } from '../../conversation/message.js';

const AUDIO: ReadonlyMap<string, 'wav' | 'mp3'> = new Map([
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
]);

export const cannotShow = (mimeType: string): string => `[Content of the type ${mimeType} cannot be shown.]`;

/** A picture or a sound in a message of Chat Completions. */
export const mediaPart = ({ type, data, mimeType }: MediaPart): object => {
  const url = `data:${mimeType};base64,${data}`;
  if (type === 'image') return { type: 'image_url', image_url: { url, detail: 'auto' } };
  const format = AUDIO.get(mimeType);
  return format === undefined
    ? { type: 'text', text: cannotShow(mimeType) }
    : { type: 'input_audio', input_audio: { data, format } };
};
