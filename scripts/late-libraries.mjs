// Libraries that a hub loads when it first uses them. Each becomes one file, without the parts that the hub never uses: to
// find and open a hundred small files takes longer than to read what stands in them.
import { join } from 'node:path';

/** What stands in the file of each library. What is a getter is loaded when it is first asked for. */
const CONTENTS = {
  undici: `
    // The package does this when it is loaded as a whole.
    Object.assign(require('undici/lib/dispatcher/dispatcher.js').prototype, require('undici/lib/api/index.js'));
    module.exports = {
      get Agent() { return require('undici/lib/dispatcher/agent.js'); },
      get Pool() { return require('undici/lib/dispatcher/pool.js'); },
      get ProxyAgent() { return require('undici/lib/dispatcher/proxy-agent.js'); },
      get buildConnector() { return require('undici/lib/core/connect.js'); },
      get fetch() { return require('undici/lib/web/fetch/index.js').fetch; },
    };`,
  ajv: `
    module.exports = {
      get Ajv() { return require('ajv').Ajv; },
      get Ajv2020() { return require('ajv/dist/2020.js').Ajv2020; },
      get formats() { return require('ajv-formats'); },
    };`,
  re2js: `module.exports = require('re2js');`,
};

/** What stands for an export until it is used: what calls it, makes one or takes a member of it loads the library. */
const LATE = `
  const late = (name) => new Proxy(function () {}, {
    apply: (_target, _self, args) => library()[name](...args),
    construct: (_target, args) => Reflect.construct(library()[name], args),
    get: (_target, member) => library()[name][member],
  });`;

/** What takes the place of each import. A connector is made at once and used with the first connection. */
const IMPORTS = {
  undici: [
    'undici',
    `export const [Agent, fetch, Pool, ProxyAgent] = ['Agent', 'fetch', 'Pool', 'ProxyAgent'].map(late);
     export const buildConnector = (...args) => {
       let connect;
       return (...target) => (connect ??= library().buildConnector(...args))(...target);
     };`,
  ],
  ajv: ['ajv', `export const Ajv = late('Ajv');`],
  'ajv/dist/2020.js': ['ajv', `export const Ajv2020 = late('Ajv2020');`],
  'ajv-formats': ['ajv', `export default late('formats');`],
  re2js: ['re2js', `export const RE2JS = late('RE2JS');`],
};

const PREFIX = '\0late:';

/** Files of libraries stand beside the entry; chunks stand one folder below it. */
export const lateLibraries = {
  name: 'late-libraries',
  resolveId: (id) => (Object.hasOwn(IMPORTS, id) ? PREFIX + id : null),
  load: (id) => {
    if (!id.startsWith(PREFIX)) return null;
    const [library, exported] = IMPORTS[id.slice(PREFIX.length)];
    return `
      import { createRequire } from 'node:module';
      let loaded;
      const library = () => (loaded ??= createRequire(import.meta.url)('../library/${library}.cjs'));
      ${LATE}
      ${exported}`;
  },
};

/** How the file of each library is bundled. */
export const libraryBundles = (root, out) =>
  Object.entries(CONTENTS).map(([name, text]) => [
    {
      input: { [name]: `${PREFIX}${name}` },
      cwd: root,
      platform: 'node',
      transform: { target: 'node20' },
      plugins: [
        {
          name: 'library',
          resolveId: (id) => (id.startsWith(PREFIX) ? join(root, `${name}.library.cjs`) : null),
          load: (id) => (id.endsWith('.library.cjs') ? text : null),
        },
      ],
      logLevel: 'warn',
    },
    {
      dir: join(out, 'library'),
      format: 'cjs',
      entryFileNames: '[name].cjs',
      minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    },
  ]);
