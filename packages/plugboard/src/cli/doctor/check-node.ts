import { type Finding, fine, problem } from './finding.js';

const FLOOR = [20, 19] as const;

/** Is this Node new enough? */
export const checkNode = (version: string): Finding => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const told = { id: 'node', subject: 'Node', message: version };
  const enough = major > FLOOR[0] || (major === FLOOR[0] && minor >= FLOOR[1]);
  return enough
    ? fine(told)
    : problem(
        { ...told, message: `${version} is older than ${FLOOR.join('.')}` },
        'Install a current Node from nodejs.org.',
      );
};
