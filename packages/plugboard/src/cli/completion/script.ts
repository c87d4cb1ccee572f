export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

const BASH = `# plugboard completion for bash
_plugboard() {
  local current="\${COMP_WORDS[COMP_CWORD]}" line
  COMPREPLY=()
  while IFS= read -r line; do
    [ -n "$line" ] && COMPREPLY+=("$(printf '%q' "\${line%%$'\\t'*}")")
  done < <(plugboard complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  [[ \${#COMPREPLY[@]} -eq 1 && "\${COMPREPLY[0]}" == *= ]] && compopt -o nospace
  return 0
}
complete -o default -F _plugboard plugboard
`;

const ZSH = `#compdef plugboard
# plugboard completion for zsh
_plugboard() {
  local -a offered described suffix
  local line
  for line in "\${(@f)$(plugboard complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -z "$line" ]] && continue
    offered+=("\${line%%$'\\t'*}")
    described+=("\${line%%$'\\t'*}  \${line#*$'\\t'}")
  done
  if (( \${#offered} )); then
    [[ "$offered[1]" == *= ]] && suffix=(-S '')
    compadd "\${suffix[@]}" -l -d described -a offered
  else
    _files
  fi
}
if [ "$funcstack[1]" = "_plugboard" ]; then
  _plugboard "$@"
else
  compdef _plugboard plugboard
fi
`;

const FISH = `# plugboard completion for fish
function __plugboard_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l offered (plugboard complete -- $words[2..-1] 2>/dev/null)
  if test (count $offered) -gt 0
    printf '%s\\n' $offered
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c plugboard -f -a '(__plugboard_complete)'
`;

export const completionScript = (shell: Shell): string => {
  switch (shell) {
    case 'bash':
      return BASH;
    case 'zsh':
      return ZSH;
    case 'fish':
      return FISH;
    default:
      return shell satisfies never;
  }
};
