import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.js';
import { hidesInLines } from './hidden-characters.js';
import { visible } from './format-text.js';

const SHOW_MS = 1500;

export const CopyButton = ({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) => {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOW_MS);
  };
  return (
    <Button
      look="bare"
      icon={copied ? <Check size={15} /> : <Copy size={15} />}
      aria-label={copied ? 'Copied' : label}
      title={label}
      onClick={() => void copy()}
    />
  );
};

/** A text that people paste elsewhere. */
export const CopyText = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <div className="copy">
    <span className="label">{label}</span>
    <div className="copy-line">
      <pre className="code" tabIndex={0}>
        {visible(text)}
      </pre>
      {hidesInLines(text) ? null : <CopyButton text={text} label={`Copy: ${label}`} />}
    </div>
    {hidesInLines(text) ? <p>It cannot be copied: it has hidden characters, which act on a terminal.</p> : null}
  </div>
);
