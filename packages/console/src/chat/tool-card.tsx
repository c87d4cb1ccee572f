import { type ContentBlock, shownResult } from '../client/content-block.js';
import { Block } from '../client/result-view.js';
import { Badge, type Tone } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { JsonView } from '../ui/json-view.js';
import { LongText } from '../ui/long-text.js';
import { milliseconds, visible } from '../ui/format-text.js';
import type { Chat } from './use-chat.js';
import type { CallItem } from './conversation.js';

const STATES: Readonly<Record<CallItem['state'], readonly [Tone, string]>> = {
  working: ['info', 'working'],
  waiting: ['warn', 'waits for you'],
  answered: ['good', 'answered'],
  failed: ['bad', 'failed'],
  stopped: ['quiet', 'stopped'],
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const Arguments = ({ text }: { readonly text: string }) => {
  const value = parsed(text);
  return value === undefined ? <LongText text={text} /> : <JsonView value={value} />;
};

/** Pictures and sounds are in sight without a click: they are what was asked for. */
const mediaBlocks = ({ media = [] }: CallItem): readonly ContentBlock[] =>
  shownResult({ content: media.map(({ kind, data, mimeType }) => ({ type: kind, data, mimeType })) }).blocks;

/** A call of a tool: what it is called with, what came of it, and the question whether it may be made. */
export const ToolCard = ({ call, onDecide }: { readonly call: CallItem; readonly onDecide: Chat['decide'] }) => {
  const [tone, word] = STATES[call.state];
  const title = visible(call.server === undefined ? call.name : `${call.server}: ${call.name}`);
  const waits = call.state === 'waiting';
  return (
    <section className="card tool-card" aria-label={`Call of ${title}`}>
      <div className="tool-card-head">
        <span className="row-name">{title}</span>
        <Badge tone={tone}>{word}</Badge>
        {call.durationMs === undefined || call.durationMs === 0 ? null : (
          <span className="quiet">{milliseconds(call.durationMs)}</span>
        )}
      </div>
      {waits ? (
        <div className="stack tight" role="status">
          <p>This tool may change or destroy something. Call it with these arguments?</p>
          <Arguments text={call.arguments} />
          <div className="actions">
            <Button look="main" onClick={() => onDecide(call, 'once')}>
              Allow
            </Button>
            <Button onClick={() => onDecide(call, 'always')}>Always allow in this chat</Button>
            <Button look="danger" onClick={() => onDecide(call, 'no')}>
              Reject
            </Button>
          </div>
        </div>
      ) : (
        <details>
          <summary>Arguments</summary>
          <Arguments text={call.arguments} />
        </details>
      )}
      {call.result === undefined ? null : (
        <details open={call.state === 'failed'}>
          <summary>{call.state === 'failed' ? 'Error' : 'Result'}</summary>
          {call.result === '' ? <p className="quiet">The result has no text.</p> : <LongText text={call.result} />}
        </details>
      )}
      {mediaBlocks(call).map((block, at) => (
        <Block key={at} block={block} />
      ))}
    </section>
  );
};
