// Colours commands: what is run, its flags, strings, variables and comments; in a transcript, what was typed.
const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const TOKEN =
  /(?<comment>(?:^|(?<=\s))#.*)|(?<string>'[^']*'|"(?:\\.|[^"\\])*")|(?<variable>\$\{?\w+\}?)|(?<flag>(?<=\s)--?[a-zA-Z][\w-]*)|(?<operator>&&|\|\||[|;\\])/gu;
const CLASSES = { comment: 'comment', string: 'string', variable: 'variable', flag: 'attr', operator: 'operator' };

const span = (kind, text) => `<span class="hljs-${kind}">${escape(text)}</span>`;

const words = (line) => {
  let html = '';
  let at = 0;
  for (const match of line.matchAll(TOKEN)) {
    const [kind, text] = Object.entries(match.groups).find(([, value]) => value !== undefined);
    html += escape(line.slice(at, match.index)) + span(CLASSES[kind], text);
    at = match.index + text.length;
  }
  return html + escape(line.slice(at));
};

const command = (line) => {
  const { space, name, rest } = /^(?<space>\s*)(?<name>[\w./-]+)?(?<rest>.*)$/u.exec(line).groups;
  if (name === undefined) return words(line);
  return `${space}${span('built_in', name)}${words(rest)}`;
};

/** A list of commands, one a line; a line after a backslash goes on. */
export const shellHtml = (code) => {
  let continued = false;
  return code
    .split('\n')
    .map((line) => {
      const html = continued ? words(line) : command(line);
      continued = line.endsWith('\\');
      return html;
    })
    .join('\n');
};

/** What a terminal showed: lines after a prompt are commands, the rest is what they answered. */
export const transcriptHtml = (code) =>
  code
    .split('\n')
    .map((line) => (line.startsWith('$ ') ? `${span('meta', '$ ')}${command(line.slice(2))}` : escape(line)))
    .join('\n');

export const isTranscript = (code) => /^\$ /mu.test(code);
