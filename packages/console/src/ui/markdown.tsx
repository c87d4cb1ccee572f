import Compiled, { type MarkdownToJSX } from 'markdown-to-jsx/react';
import { memo, type ReactNode, useDeferredValue } from 'react';
import { Boundary } from './boundary.js';
import { LongText } from './long-text.js';
import { linkTarget } from './markdown-link.js';
import { visible } from './format-text.js';

/** Longer texts are shown as they are: reading them as Markdown takes too long while they arrive. */
const MAX_CHARACTERS = 20_000;

interface PartProps {
  readonly children?: ReactNode;
}

const Anchor = ({ href = '', children }: PartProps & { readonly href?: string }) => {
  const target = linkTarget(href);
  return target === undefined ? (
    <span>{children}</span>
  ) : (
    <a href={target} target="_blank" rel="noopener noreferrer" title={target}>
      {children}
    </a>
  );
};

/** A picture of Markdown would be loaded from somewhere else, and tell them who reads. */
const Picture = ({ src = '', alt = '' }: { readonly src?: string; readonly alt?: string }) => (
  <span className="quiet">
    [Picture: {alt === '' ? 'without a title' : alt}, <Anchor href={src}>{src.slice(0, 200)}</Anchor>]
  </span>
);

const Table = ({ children }: PartProps) => (
  <div className="table-frame" tabIndex={0} role="region" aria-label="Table">
    <table>{children}</table>
  </div>
);

const Code = ({ children }: PartProps) => (
  <pre className="code" tabIndex={0}>
    {children}
  </pre>
);

/** Headings are below those of the page. Ids that a text chooses could stand for those of the page. */
const Heading = ({ children }: PartProps) => <h3>{children}</h3>;
const Subheading = ({ children }: PartProps) => <h4>{children}</h4>;
const Division = ({ children }: PartProps) => <div>{children}</div>;

const OPTIONS: MarkdownToJSX.Options = {
  disableParsingRawHTML: true,
  forceBlock: true,
  wrapper: 'div',
  // The parts decide by themselves, so that there is one rule.
  sanitizer: (value) => value,
  overrides: {
    a: Anchor,
    img: Picture,
    table: Table,
    pre: Code,
    h1: Heading,
    h2: Heading,
    h3: Subheading,
    h4: Subheading,
    h5: Subheading,
    h6: Subheading,
    div: Division,
    input: { component: 'input', props: { disabled: true, 'aria-label': 'Task' } },
  },
};

/** Markdown of a model: formatted, without HTML, pictures from elsewhere, and addresses that run something. */
export const Markdown = memo(({ text }: { readonly text: string }) => {
  const shown = useDeferredValue(text);
  if (shown.length > MAX_CHARACTERS) return <LongText text={shown} />;
  return (
    <Boundary fallback={<LongText text={shown} />}>
      <div className="markdown">
        <Compiled options={OPTIONS}>{visible(shown)}</Compiled>
      </div>
    </Boundary>
  );
});
