/**
 * The scripts that make shells complete `gw`. They ask `gw __complete` at each Tab, so they are the same
 * for every version. No script evaluates an answer or what was typed: both stay text.
 */

const BASH = `# bash completion of gw; made by: gw completion bash
_gw_completion() {
  local line kind=''
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ -z $kind ]]; then
      kind=$line
    else
      COMPREPLY+=("$line")
    fi
  done < <(command gw __complete bash "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
  if [[ $kind == ':files' ]]; then
    compopt -o default -o bashdefault 2>/dev/null
  else
    compopt +o default +o bashdefault 2>/dev/null
  fi
  return 0
}
complete -o nosort -F _gw_completion gw 2>/dev/null || complete -o default -F _gw_completion gw
`;

const ZSH = `#compdef gw
# zsh completion of gw; made by: gw completion zsh
_gw() {
  local -a lines values shown
  local line
  lines=("\${(@f)$(command gw __complete zsh "=\${(Q)PREFIX}" "\${(@Q)words[2,CURRENT-1]}" 2>/dev/null)}")
  if [[ $lines[1] == ':files' ]]; then
    _files
    return
  fi
  for line in "\${(@)lines[2,-1]}"; do
    values+=("\${line%%$'\\t'*}")
    shown+=("\${line/$'\\t'/  -- }")
  done
  (( $#values )) || return 1
  if [[ $lines == *$'\\t'* ]]; then
    compadd -V gw -l -d shown -a values
  else
    compadd -V gw -a values
  fi
}
if [[ $funcstack[1] == _gw ]]; then
  _gw "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _gw gw
fi
`;

const FISH = `# fish completion of gw; made by: gw completion fish
function __gw_complete
    set -l current (commandline -ct)
    set -l words (commandline -opc)
    set -e words[1]
    set -l lines (command gw __complete fish "=$current" $words 2>/dev/null)
    if test "$lines[1]" = ':files'
        __fish_complete_path "$current"
    else if set -q lines[2]
        printf '%s\\n' $lines[2..-1]
    end
end
complete -c gw -e
complete -c gw -k -f -a '(__gw_complete)'
`;

const POWERSHELL = `# PowerShell completion of gw; made by: gw completion powershell
Register-ArgumentCompleter -Native -CommandName gw -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object {
            if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value }
            else { $_.Extent.Text }
        })
    $lines = @(& gw __complete powershell "=$wordToComplete" @words 2>$null)
    $lines | Select-Object -Skip 1 | ForEach-Object {
        $value, $meaning = $_ -split "\`t", 2
        if (-not $meaning) { $meaning = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $meaning)
    }
}
`;

/** Scripts by the name of their shell. */
export const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH, powershell: POWERSHELL } as const;

export type ShellName = keyof typeof SCRIPTS;

/** What is put where, so that a shell completes `gw` from its next start on. */
export const SET_UP: Readonly<Record<ShellName, { file: string; line: string }>> = {
  bash: { file: '~/.bashrc', line: 'eval "$(gw completion bash)"' },
  zsh: { file: '~/.zshrc', line: 'eval "$(gw completion zsh)"' },
  fish: { file: '~/.config/fish/config.fish', line: 'gw completion fish | source' },
  powershell: {
    file: '$PROFILE',
    line: 'gw completion powershell | Out-String | Invoke-Expression',
  },
};
