import { useEffect } from 'react';
import type { McpConnection } from '../api/mcp/mcp-connection.js';
import { contentsIn } from '../client/content-block.js';
import { useMcpRun } from '../client/mcp-run.js';
import { Block } from '../client/result-view.js';
import { RunView } from '../client/run-view.js';
import { Button } from '../ui/button.js';
import { CopyText } from '../ui/copy-text.js';
import { visible } from '../ui/format-text.js';

/** The contents of a resource, read when it is shown. */
export const ResourceContents = ({ mcp, uri }: { readonly mcp: McpConnection; readonly uri: string }) => {
  const run = useMcpRun(mcp);
  const { start } = run;
  useEffect(() => {
    void start('resources/read', { uri });
    // Read when the address changes; the run itself changes with every step.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [mcp, uri]);
  return (
    <>
      <div className="actions">
        <Button busy={run.running} onClick={() => void start('resources/read', { uri })}>
          Read again
        </Button>
        {run.running ? <Button onClick={run.cancel}>Cancel</Button> : null}
      </div>
      <RunView run={run} idle="Reading…">
        {(result) => (
          <div className="stack">
            {contentsIn(result).map((block, at) => (
              <Block key={at} block={block} />
            ))}
          </div>
        )}
      </RunView>
    </>
  );
};

interface ResourceDetailProps {
  readonly mcp: McpConnection;
  readonly uri: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

export const ResourceDetail = ({ mcp, uri, title, description, mimeType }: ResourceDetailProps) => (
  <>
    <h2>{visible(title)}</h2>
    {description === '' ? null : <p>{visible(description)}</p>}
    <CopyText label={mimeType === '' ? 'Address' : `Address (${visible(mimeType)})`} text={uri} />
    <ResourceContents mcp={mcp} uri={uri} />
  </>
);
