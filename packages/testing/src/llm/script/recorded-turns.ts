import { readModelRecording, type RecordedAnswer } from '@plugboard/contract';
import type { ScriptedUsage, Turn } from './turn.js';

const USAGE = ['input', 'output', 'cachedInput', 'cacheWrite', 'reasoning'] as const;

const usageOf = ({ usage }: RecordedAnswer['answer']): ScriptedUsage =>
  Object.fromEntries(USAGE.flatMap((name) => (usage[name] === null ? [] : [[name, usage[name]]])));

const turnOf = ({ answer }: RecordedAnswer): Turn => {
  const texts = (type: 'text' | 'thinking'): string =>
    answer.content.flatMap((part) => (part.type === type ? [part.text] : [])).join('');
  const [thinking, text] = [texts('thinking'), texts('text')];
  const toolCalls = answer.content.flatMap((part) =>
    part.type === 'tool-call' ? [{ id: part.id, name: part.name, arguments: part.arguments }] : [],
  );
  return {
    ...(thinking === '' ? {} : { thinking }),
    ...(text === '' ? {} : { text }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    usage: usageOf(answer),
  };
};

/**
 * The answers of a recorded model as turns of a double, in their order: `double.next(...recordedTurns(text))`. The double
 * writes them in the format of whichever provider it is asked as.
 */
export const recordedTurns = (text: string): readonly Turn[] => {
  const recording = readModelRecording(text);
  if (recording === undefined) throw new Error('This is not a recording of a model.');
  return recording.answers.map(turnOf);
};
