// The completion script for fish 3.4 and newer: one `complete` line for each command, word and flag.

import { type CompletedCommand, type Completions, subcommandsIn } from "./table.ts"

export function toFish(table: readonly CompletedCommand[]): string {
  return `# Completion of holdpoint for fish: holdpoint completion fish | source
function __holdpoint_command
    set -l words (commandline -opc)
    set -l part "$words[2] $words[3]"
    if contains -- $part ${subcommandsIn(table).map(quote).join(" ")}
        echo $part
    else
        echo $words[2]
    end
end
function __holdpoint_in
    test "$(__holdpoint_command)" = "$argv"
end
function __holdpoint_at
    test (count (commandline -opc)) -eq $argv[1]; and test "$(__holdpoint_command)" = "$argv[2..]"
end
complete -c holdpoint -e
complete -c holdpoint -f
complete -c holdpoint -n '__holdpoint_at 1' -l version -d 'show the version'
complete -c holdpoint -n '__holdpoint_at 1' -l help -d 'list the commands'
${table.flatMap(linesOf).join("\n")}
`
}

function linesOf({ name, summary, word, flags }: CompletedCommand): readonly string[] {
  const length = name.split(" ").length
  return [
    ...(length === 1 ? [`complete -c holdpoint -n '__holdpoint_at 1' -a ${name} -d ${quote(summary)}`] : []),
    ...word.map((kind) => `complete -c holdpoint -n '__holdpoint_at ${length + 1} ${name}' ${argumentsOf(kind)}`),
    ...flags.map(({ name: flag, help, value }) => {
      const valueOption = value === undefined ? "" : ` -r ${argumentsOf(value) || "-f"}`
      return `complete -c holdpoint -n '__holdpoint_in ${name}' -l ${flag}${valueOption} -d ${quote(help)}`
    }),
  ]
}

function argumentsOf(completed: Completions): string {
  switch (completed.kind) {
    case "text":
      return ""
    case "file":
      return "-F"
    case "folder":
      return "-f -a '(__fish_complete_directories)'"
    case "choice":
      return `-f -a ${quote(completed.choices.join(" "))}`
  }
}

const quote = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
