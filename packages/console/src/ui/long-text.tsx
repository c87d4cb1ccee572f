import { useState } from 'react';
import { Button } from './button.js';
import { CopyButton } from './copy-text.js';
import { visible } from './format-text.js';

const FIRST_CHARACTERS = 20_000;
const MORE_CHARACTERS = 200_000;

/** Text of any length: a page that shows megabytes at once stops answering. */
export const LongText = ({ text }: { readonly text: string }) => {
  const [shown, setShown] = useState(FIRST_CHARACTERS);
  const rest = text.length - shown;
  return (
    <div className="long-text">
      <pre className="code wrap" tabIndex={0}>
        {visible(text.slice(0, shown))}
      </pre>
      <div className="actions">
        {rest <= 0 ? null : (
          <>
            <span className="quiet">{rest.toLocaleString('en')} more characters</span>
            <Button onClick={() => setShown(shown + MORE_CHARACTERS)}>Show more</Button>
          </>
        )}
        <CopyButton text={text} label="Copy text" />
      </div>
    </div>
  );
};
