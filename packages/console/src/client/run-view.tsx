import type { ReactNode } from 'react';
import { Failure } from '../ui/failure.js';
import { milliseconds, visible } from '../ui/format-text.js';
import { progressWords } from './heard.js';
import { MessageList } from './message-list.js';
import type { McpRun } from './mcp-run.js';
import { QuestionDialog } from './question-dialog.js';

interface RunViewProps {
  readonly run: McpRun;
  /** What is shown before the first run. */
  readonly idle: string;
  readonly children: (result: unknown) => ReactNode;
}

/** How a request goes, and what became of it. */
export const RunView = ({ run, idle, children }: RunViewProps) => (
  <>
    <section className="stack" aria-label="Result" aria-live="polite" aria-busy={run.running}>
      {run.progress === undefined ? null : (
        <p className="progress-line">
          <progress
            aria-label="Progress"
            value={run.progress.value}
            {...(run.progress.total === undefined ? {} : { max: run.progress.total })}
          />
          {visible(progressWords(run.progress))}
        </p>
      )}
      {run.logs.length === 0 ? null : (
        <pre className="code wrap" tabIndex={0} aria-label="Log messages">
          {visible(run.logs.join('\n'))}
        </pre>
      )}
      {run.error === undefined ? null : <Failure error={run.error} />}
      {run.outcome === undefined ? null : (
        <>
          <p className="quiet">Answered in {milliseconds(run.outcome.ms)}</p>
          {children(run.outcome.result)}
        </>
      )}
      {run.outcome === undefined && run.error === undefined && !run.running ? <p className="quiet">{idle}</p> : null}
      {run.question === undefined ? null : <QuestionDialog key={run.question.id} question={run.question} />}
    </section>
    {/* Not in the live region: nobody wants to hear the wire. */}
    <MessageList messages={run.messages} />
  </>
);
