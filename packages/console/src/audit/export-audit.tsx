import { useMutation } from '@tanstack/react-query';
import { toApiError } from '../api/api-error.js';
import { useHttp } from '../api/hub.js';
import { Button } from '../ui/button.js';
import { Failure } from '../ui/failure.js';

const FILE = 'audit.jsonl';
/** The browser reads the file after the click. */
const READ_MS = 60_000;

const save = (file: Blob): void => {
  const url = URL.createObjectURL(file);
  const link = Object.assign(document.createElement('a'), { href: url, download: FILE });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), READ_MS);
};

/** Saves the whole trail as a file. A plain link could not prove that it comes from this page. */
export const ExportAudit = () => {
  const http = useHttp();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => save(await (await http.send('/v1/audit/export')).blob()),
  });
  return (
    <>
      <Button busy={isPending} onClick={() => mutate()}>
        Export
      </Button>
      {error === null ? null : <Failure error={toApiError(error)} />}
    </>
  );
};
