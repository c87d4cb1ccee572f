// Preloaded into a hub: says which modules it loads.
import { register } from 'node:module';

const hooks = `
  import { writeSync } from 'node:fs';
  export const load = (url, context, next) => {
    writeSync(2, 'loads ' + url + '\\n');
    return next(url, context);
  };
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
