import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import type { Failing } from './failure.js';
import { type Named, NameForm } from './name-form.js';
import { visible } from './format-text.js';

interface RenameButtonProps {
  readonly named: Named;
  /** What a new name changes for others. */
  readonly help: string;
  readonly busy: boolean;
  readonly error: Failing | undefined;
  readonly onSubmit: (named: Named, onSaved: () => void) => void;
}

/** Changes what something is called, and what it says it is for. */
export const RenameButton = ({ named, help, busy, error, onSubmit }: RenameButtonProps) => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={<Pencil size={15} />} onClick={() => setOpen(true)}>
        Rename
      </Button>
      <Dialog title={`Rename ${visible(named.name)}`} open={open} onOpenChange={setOpen}>
        <NameForm
          start={named}
          help={help}
          action="Save"
          busy={busy}
          error={error}
          onSubmit={(changed) => onSubmit(changed, () => setOpen(false))}
        />
      </Dialog>
    </>
  );
};
