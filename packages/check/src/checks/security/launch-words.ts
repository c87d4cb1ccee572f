/** Why the command does not fix the version of the program; undefined when it does, or fetches nothing. */
export const looseLaunch = (command: readonly string[]): string | undefined => {
  const [program = '', ...args] = command;
  const name = program.replace(/^.*[\\/]/u, '').replace(/\.(?:cmd|exe)$/iu, '');
  const given = args.filter((arg) => !arg.startsWith('-'));
  switch (name) {
    case 'npx':
    case 'bunx':
    case 'pnpx':
      return loosePackage(given[0]);
    case 'npm':
    case 'pnpm':
    case 'yarn':
      return given[0] === 'exec' || given[0] === 'dlx' ? loosePackage(given[1]) : undefined;
    case 'uvx':
    case 'pipx':
      return looseWheel(name === 'pipx' ? given.find((arg) => arg !== 'run') : given[0]);
    case 'docker':
    case 'podman':
      return looseImage(args);
    default:
      return undefined;
  }
};

const loosePackage = (spec: string | undefined): string | undefined => {
  if (spec === undefined || /^[./]|^(?:https?|git|file):/u.test(spec)) return undefined;
  const version = /^(?:@[^/]+\/)?[^@]+@(.+)$/u.exec(spec)?.[1];
  return version !== undefined && /^\d+\.\d+\.\d+/u.test(version) ? undefined : `${spec} names no exact version`;
};

const looseWheel = (spec: string | undefined): string | undefined =>
  spec === undefined || /==|@\d/u.test(spec) || /^[./]|^(?:https?|git\+)/u.test(spec)
    ? undefined
    : `${spec} names no exact version`;

const VALUED =
  /^(?:-[evpuwl]|--(?:env|volume|publish|user|workdir|label|name|network|mount|env-file|entrypoint|platform))$/u;

/** The image is the first word of `run` that is no option and no value of one. */
const looseImage = (args: readonly string[]): string | undefined => {
  const from = args.indexOf('run');
  if (from === -1) return undefined;
  const rest = args.slice(from + 1);
  const image = rest.find((arg, index) => !arg.startsWith('-') && !VALUED.test(rest[index - 1] ?? ''));
  if (image === undefined || image.includes('@sha256:')) return undefined;
  const tag = /:([^/:]+)$/u.exec(image)?.[1];
  return tag === undefined || tag === 'latest' ? `${image} names no version` : undefined;
};
