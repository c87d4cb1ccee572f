import { Notice } from '../ui/notice.js';

/** Probes start programs and count at servers, so somebody has to want them. */
export const ProbesOff = () => (
  <Notice tone="info" title="The hub does not probe its servers regularly">
    <p>
      Set <code>{'"monitor": { "enabled": true }'}</code> in <code>plugboard.json</code>. Until then there is only what
      you probe here.
    </p>
  </Notice>
);
