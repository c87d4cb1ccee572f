import { z } from 'zod';

export const MODEL_RECORDING_FORMAT = 'plugboard.model-recording/1';

/** The first line of a recording of a model. */
const modelRecordingHead = z.object({
  format: z.literal(MODEL_RECORDING_FORMAT),
  provider: z.string(),
  profile: z.string(),
  recordedAt: z.string(),
});
type ModelRecordingHead = z.infer<typeof modelRecordingHead>;

const part = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('thinking'), text: z.string() }),
  z.looseObject({ type: z.literal('tool-call'), id: z.string(), name: z.string(), arguments: z.string() }),
]);

const count = z.number().nullable();

/** Every further line: a request in no provider's words, and what the model answered. */
const recordedAnswer = z.object({
  request: z.looseObject({ model: z.string() }),
  answer: z.looseObject({
    id: z.string().nullable(),
    model: z.string(),
    content: z.array(part),
    finish: z.object({ kind: z.string(), raw: z.string().nullable() }),
    usage: z.object({
      input: count,
      output: count,
      total: count,
      cachedInput: count,
      cacheWrite: count,
      reasoning: count,
    }),
  }),
});
export type RecordedAnswer = z.infer<typeof recordedAnswer>;

export interface ModelRecording {
  readonly head: ModelRecordingHead;
  readonly answers: readonly RecordedAnswer[];
}

const lineOf = (line: string): unknown => {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
};

/** Reads a recording of a model. Undefined: the text is something else. Throws with the number of a damaged line. */
export const readModelRecording = (text: string): ModelRecording | undefined => {
  const [first = '', ...rest] = text.split('\n').filter((line) => line.trim() !== '');
  const head = modelRecordingHead.safeParse(lineOf(first));
  if (!head.success) return undefined;
  const answers = rest.map((line, at) => {
    const parsed = recordedAnswer.safeParse(lineOf(line));
    if (parsed.success) return parsed.data;
    throw new Error(`Line ${at + 2} of the recording is damaged.`);
  });
  return { head: head.data, answers };
};
