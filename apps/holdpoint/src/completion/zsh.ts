// The completion script for zsh. Works as a file in $fpath, and with eval.

import { type CompletedCommand, type CompletedFlag, type Completions, commandsIn, subcommandsIn } from "./table.ts"

export function toZsh(table: readonly CompletedCommand[]): string {
  const commands = table.filter(({ name }) => commandsIn(table).includes(name))
  return `#compdef holdpoint
# Completion of holdpoint for zsh: eval "$(holdpoint completion zsh)", after compinit.
_holdpoint() {
  local -a commands
  commands=(
${commands.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`).join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe -t commands command commands
    _arguments '--version[show the version]' '--help[list the commands]'
    return
  fi
  shift words
  (( CURRENT-- ))
  local command=$words[1]
  if (( CURRENT > 2 )); then
    case "$command $words[2]" in
      ${subcommandsIn(table).map(quote).join(" | ")}) command="$command $words[2]"; shift words; (( CURRENT-- )) ;;
    esac
  fi
  case $command in
${table.map(branchOf).join("\n")}
  esac
}

if [[ \${funcstack[1]-} == _holdpoint ]]; then
  _holdpoint "$@"
else
  compdef _holdpoint holdpoint
fi
`
}

function branchOf({ name, word, flags }: CompletedCommand): string {
  const specs = [...flags.map(specOf), quote(`1:word:${wordOf(word)}`), quote("*:word: ")]
  return `    ${quote(name)})\n      _arguments ${specs.join(" \\\n        ")} ;;`
}

function specOf({ name, help, repeats, value }: CompletedFlag): string {
  const about = `${repeats ? "*" : ""}--${name}${value === undefined ? "" : "="}[${escaped(help)}]`
  return quote(value === undefined ? about : `${about}:${escaped(value.label)}:${actionOf(value)}`)
}

/** The completion of a word. A word with several kinds offers all of them. */
function wordOf(word: readonly Completions[]): string {
  if (word.length < 2) return word.map(actionOf)[0] ?? " "
  const alternatives = word.map((kind) => `"word:word:${actionOf(kind)}"`)
  return `_alternative ${alternatives.join(" ")}`
}

function actionOf(completed: Completions): string {
  switch (completed.kind) {
    case "text":
      return " "
    case "file":
      return "_files"
    case "folder":
      return "_files -/"
    case "choice":
      return `(${completed.choices.join(" ")})`
  }
}

/** Escapes colons and brackets, because they separate the parts of a specification of _arguments. */
const escaped = (text: string): string => text.replaceAll(/[\\:[\]]/g, String.raw`\$&`)
const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
