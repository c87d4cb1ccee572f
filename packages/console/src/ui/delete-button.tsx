import { Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from './button.js';
import { Confirm } from './confirm.js';
import { visible } from './format-text.js';

interface DeleteButtonProps {
  /** What kind of thing it is, such as "agent". */
  readonly kind: string;
  readonly name: string;
  readonly busy: boolean;
  readonly onConfirm: () => void;
  /** What is deleted with it. */
  readonly children: ReactNode;
}

/** Deletes something after a question. */
export const DeleteButton = ({ kind, name, busy, onConfirm, children }: DeleteButtonProps) => {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button icon={<Trash2 size={15} />} busy={busy} onClick={() => setAsking(true)}>
        Delete
      </Button>
      <Confirm
        title={`Delete ${visible(name)}?`}
        action={`Delete ${kind}`}
        open={asking}
        onOpenChange={setAsking}
        onConfirm={onConfirm}
      >
        <p>{children}</p>
      </Confirm>
    </>
  );
};
