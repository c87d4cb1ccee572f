import type { ApiKeyCreated } from '@plugboard/contract';
import type { Output } from '../../terminal/output.js';

/** What the owner of a new key must know. The first key closes the hub, and that is said when it happens. */
export const tellNewKey = (made: ApiKeyCreated, out: Output): void => {
  out.data(made);
  out.text(made.key);
  out.note('This is the only time that the key is shown.');
  if (made.notice === undefined) return;
  out.note(
    [
      '',
      `${out.noteStyle.yellow('!')} This is the first key: from now on the hub rejects MCP clients and scripts without a key.`,
      '  plugboard export --for-client <client>   writes an entry with a reference to a key',
      '  plugboard key create <name>              creates a key for each client',
      '  plugboard key revoke <key>, then key purge   go back to a hub without keys',
    ].join('\n'),
  );
};
