import { Badge } from '../ui/badge.js';
import { Boundary } from '../ui/boundary.js';
import { CopyButton } from '../ui/copy-text.js';
import { JsonView } from '../ui/json-view.js';
import { LongText } from '../ui/long-text.js';
import { visible } from '../ui/format-text.js';
import { type ContentBlock, shownResult } from './content-block.js';
import { OutputCheck } from './output-check.js';

export const Block = ({ block }: { readonly block: ContentBlock }) => {
  switch (block.kind) {
    case 'text':
      return <LongText text={block.text} />;
    case 'image':
      return <img className="result-image" src={block.source} alt="Returned by the tool" />;
    case 'audio':
      // oxlint-disable-next-line jsx-a11y/media-has-caption
      return <audio controls src={block.source} />;
    case 'link':
      return (
        <p>
          {visible(block.name)} <code>{visible(block.uri)}</code>{' '}
          <CopyButton text={block.uri} label="Copy the address" />
          <br />
          <span className="quiet">{visible(block.description)}</span>
        </p>
      );
    case 'resource':
      return (
        <div className="stack tight">
          <code>{visible(block.uri)}</code>
          <LongText text={block.text} />
        </div>
      );
    case 'other':
      return <JsonView value={block.value} />;
    default:
      return block satisfies never;
  }
};

interface ResultViewProps {
  readonly result: unknown;
  /** What the tool says of its structured content. */
  readonly outputSchema?: unknown;
}

export const ResultView = ({ result, outputSchema }: ResultViewProps) => {
  const { isError, blocks, structured } = shownResult(result);
  return (
    <Boundary fallback={<JsonView value={result} />}>
      <div className="stack">
        {isError ? <Badge tone="bad">The tool reports an error</Badge> : null}
        {blocks.map((block, at) => (
          <Block key={at} block={block} />
        ))}
        {structured === undefined ? null : (
          <section className="stack tight">
            <h3>Structured content</h3>
            <JsonView value={structured} />
          </section>
        )}
        {isError ? null : <OutputCheck schema={outputSchema} structured={structured} />}
        {blocks.length === 0 && structured === undefined ? <p className="quiet">The result is empty.</p> : null}
      </div>
    </Boundary>
  );
};
