import type { ToolView } from '@plugboard/contract';
import { useEffect, useRef } from 'react';
import { Confirm } from '../ui/confirm.js';
import { Notice } from '../ui/notice.js';
import { visible } from '../ui/format-text.js';

interface ReplayQuestionProps {
  readonly tool: ToolView;
  readonly args: Readonly<Record<string, unknown>>;
  readonly onRun: () => void;
  readonly onDone: () => void;
}

const MAX_SHOWN = 400;

/** Makes a call again. What may change something is made only after a question. */
export const ReplayQuestion = ({ tool, args, onRun, onDone }: ReplayQuestionProps) => {
  const harmless = tool.annotations?.readOnlyHint === true;
  const started = useRef(false);
  useEffect(() => {
    if (!harmless || started.current) return;
    started.current = true;
    onRun();
    onDone();
  }, [harmless, onRun, onDone]);
  return harmless ? null : (
    <Confirm
      title={`Call ${visible(tool.upstream_name)} again?`}
      action="Call again"
      open
      onOpenChange={(open) => !open && onDone()}
      onConfirm={onRun}
    >
      <p>The server does not say that this tool only reads: the call may change something a second time.</p>
      <p>
        <code>{visible(JSON.stringify(args).slice(0, MAX_SHOWN))}</code>
      </p>
    </Confirm>
  );
};

/** A call cannot be repeated as it was when the hub did not keep the values. */
export const MissingValues = ({ kinds }: { readonly kinds: Readonly<Record<string, string>> }) => (
  <Notice tone="info" title="Fill in the arguments again">
    <p>The hub does not keep values of arguments. The call had:</p>
    <ul>
      {Object.entries(kinds).map(([name, kind]) => (
        <li key={name}>
          <code>{visible(name)}</code> {visible(kind)}
        </li>
      ))}
    </ul>
  </Notice>
);
