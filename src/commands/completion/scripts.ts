/**
 * The scripts by which shells complete `gw`. They ask `gw __complete` at each Tab, so they are the same for every
 * version. No script evaluates an answer or the typed words: both stay text. `@GW@` stands for the quoted path of the gw
 * that printed the script, for a shell that knows gw by an alias only.
 *
 * Tests: test/packaging/completion.test.ts
 */

import { shellWord } from '../../base/shell.ts';

/** If bash breaks words at `=` or `:`, it only replaces the part after the last of these. */
const BASH = `# bash completion of gw; made by: gw completion bash
_gw_completion() {
  local gw line current kept='' typed=\${COMP_LINE:0:COMP_POINT} breaks=\${COMP_WORDBREAKS//[^=:]/}
  local -a words
  gw=$(type -P gw) || gw=@GW@
  COMPREPLY=()
  IFS=$' \\t\\n' read -ra words <<< "\${typed#*"$1"}"
  [[ $typed == *[[:space:]] ]] && words+=('')
  local last=$((\${#words[@]} - 1))
  current=\${words[last]}
  [[ -n $breaks && $current == *[$breaks]* ]] && kept=\${current%"\${current##*[$breaks]}"}
  compopt +o default +o bashdefault 2>/dev/null
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o default -o bashdefault 2>/dev/null
    else
      line=\${line%%$'\\t'*}
      COMPREPLY+=("\${line#"$kept"}")
    fi
  done < <("$gw" __complete "$current" "\${words[@]:0:last}" 2>/dev/null)
}
complete -o nosort -F _gw_completion gw 2>/dev/null || complete -o default -F _gw_completion gw
`;

/** zsh completes an alias by the program behind it, and a clone has gw as gw.cjs. */
const ZSH = `#compdef gw gw.cjs
# zsh completion of gw; made by: gw completion zsh
_gw() {
  local -a lines shown
  local gw=\${commands[gw]:-@GW@}
  lines=("\${(@f)$("$gw" __complete "\${(Q)PREFIX}" "\${(@Q)words[2,CURRENT-1]}" 2>/dev/null)}")
  if [[ $lines[1] == ':files' ]]; then
    _files
    return
  fi
  [[ -n $lines[1] ]] || return 1
  shown=("\${(@)lines/$'\\t'/  }")
  compadd -V gw -l -d shown -- "\${(@)lines%%$'\\t'*}"
}
if [[ $funcstack[1] == _gw ]]; then
  _gw "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _gw gw gw.cjs
fi
`;

const FISH = `# fish completion of gw; made by: gw completion fish
function __gw_complete
    set -l current (commandline -ct)
    set -l words (commandline -opc)
    set -l gw (command -s gw; or echo @GW@)
    set -l lines ($gw __complete "$current" $words[2..-1] 2>/dev/null)
    if test "$lines[1]" = ':files'
        __fish_complete_path "$current"
    else if set -q lines[1]
        printf '%s\\n' $lines
    end
end
complete -c gw -e
complete -c gw -k -f -a '(__gw_complete)'
`;

/** Before 7.3, PowerShell leaves out an empty argument of a program, and takes quotation marks for one. */
const POWERSHELL = `# PowerShell completion of gw; made by: gw completion powershell
Register-ArgumentCompleter -Native -CommandName gw -ScriptBlock {
    param($current, $line, $cursor)
    $words = @($line.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursor } |
        ForEach-Object {
            if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value }
            else { $_.Extent.Text }
        })
    if ($current -eq '' -and "$PSNativeCommandArgumentPassing" -notin 'Standard', 'Windows') { $current = '""' }
    $gw = Get-Command -Name gw -CommandType Application, ExternalScript -TotalCount 1 -ErrorAction Ignore
    if (-not $gw) { $gw = @GW@ }
    & $gw __complete $current @words 2>$null | ForEach-Object {
        $value, $meaning = $_ -split "\`t", 2
        if ($value -eq ':files') { return }
        if (-not $meaning) { $meaning = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $meaning)
    }
}
`;

/** The script of each shell, and the line for a file that completes `gw` from the shell's next start on. */
export const SHELLS = {
  bash: { script: BASH, file: '~/.bashrc', line: 'eval "$(gw completion bash)"' },
  zsh: { script: ZSH, file: '~/.zshrc', line: 'eval "$(gw completion zsh)"' },
  fish: { script: FISH, file: '~/.config/fish/config.fish', line: 'gw completion fish | source' },
  powershell: {
    script: POWERSHELL,
    file: '$PROFILE',
    line: 'gw completion powershell | Out-String | Invoke-Expression',
  },
} as const;

/** @param path of the program @returns the script with it, in the quotes of its shell */
export function scriptFor(shell: keyof typeof SHELLS, path: string): string {
  const quoted = shell === 'powershell' ? `'${path.replaceAll("'", "''")}'` : shellWord(path);
  return SHELLS[shell].script.replaceAll('@GW@', () => quoted);
}
