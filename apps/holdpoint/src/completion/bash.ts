// The completion script for bash 3.2 and newer. All completions are in `case` branches: the script never runs
// holdpoint.

import { type CompletedCommand, type Completions, commandsIn, subcommandsIn } from "./table.ts"

export function toBash(table: readonly CompletedCommand[]): string {
  return `# Completion of holdpoint for bash: eval "$(holdpoint completion bash)"
_holdpoint_offer() {
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$@")
}

_holdpoint() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} flags= at=2
  COMPREPLY=()
  # Bash splits --flag=value into three words.
  if [[ $current == = ]]; then current=
  elif [[ $previous == = ]]; then previous=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if ((COMP_CWORD == 1)); then
    _holdpoint_offer -W ${quote([...commandsIn(table), "--version", "--help"].join(" "))} -- "$current"
    return
  fi
  if ((COMP_CWORD > 2)); then
    case "$command \${COMP_WORDS[2]}" in
${subcommandsIn(table)
  .map((name) => `      ${quote(name)}) command=${quote(name)} at=3 ;;`)
  .join("\n")}
    esac
  fi
  case $command:$previous in
${table.flatMap(valuesOf).join("\n")}
  esac
  case $command in
${table.map(flagsOf).join("\n")}
  esac
  if [[ $current == -* ]]; then
    _holdpoint_offer -W "$flags" -- "$current"
  elif ((COMP_CWORD == at)); then
    case $command in
${table.flatMap(wordOf).join("\n")}
    esac
  fi
}
complete -F _holdpoint holdpoint
`
}

function valuesOf({ name, flags }: CompletedCommand): readonly string[] {
  return flags.flatMap(({ name: flag, value }) =>
    value === undefined ? [] : [`    ${quote(name)}:--${flag}) ${[...toOfferCommands(value), "return"].join("; ")} ;;`],
  )
}

const flagsOf = ({ name, flags }: CompletedCommand): string =>
  `    ${quote(name)}) flags=${quote(flags.map((flag) => `--${flag.name}`).join(" "))} ;;`

function wordOf({ name, word }: CompletedCommand): readonly string[] {
  const offerCommands = word.flatMap(toOfferCommands)
  return offerCommands.length === 0 ? [] : [`      ${quote(name)}) ${offerCommands.join("; ")} ;;`]
}

/**
 * The bash commands that offer completions. Bash 3.2 has no compopt, so folder names end with a space, not a slash.
 */
function toOfferCommands(completed: Completions): readonly string[] {
  switch (completed.kind) {
    case "text":
      return []
    case "file":
    case "folder":
      return [
        "compopt -o filenames 2>/dev/null",
        `_holdpoint_offer -${completed.kind === "file" ? "f" : "d"} -- "$current"`,
      ]
    case "choice":
      return [`_holdpoint_offer -W ${quote(completed.choices.join(" "))} -- "$current"`]
  }
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
