// Neither a tilde nor, at the start, an equals sign: shells expand them.
const SAFE = /^(?!=)[\w@%+=:,./-]+$/u;

/** One word for a POSIX shell, whatever is in it. */
export const shellWord = (text: string): string => (SAFE.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** A command of Plugboard. A name of a server or tool that looks like an option is not one. */
export const ownCommand = (operands: readonly string[], options: readonly string[]): string => {
  const isOption = operands.some((word) => word.startsWith('-'));
  return (isOption ? [...options, '--', ...operands] : [...operands, ...options]).map(shellWord).join(' ');
};
