// `holdpoint completion`: prints the script with which a shell completes commands, flags and values.

import type { Command } from "../command.ts"
import { toBash } from "../completion/bash.ts"
import { toFish } from "../completion/fish.ts"
import { type CompletedCommand, toTable } from "../completion/table.ts"
import { toZsh } from "../completion/zsh.ts"
import { didYouMean, wrongUse } from "../wrong-use.ts"

const shells: Readonly<Record<string, (table: readonly CompletedCommand[]) => string>> = {
  bash: toBash,
  zsh: toZsh,
  fish: toFish,
}

/** `loadCommands` loads every command, this one included. */
export function createCompletion(loadCommands: () => Promise<readonly Command[]>): Command {
  const names = Object.keys(shells)
  return {
    name: "completion",
    summary: "Print the completion script for your shell.",
    usage: names.join("|"),
    actions: names,
    words: { least: 1, most: 1 },
    usesDatabase: false,
    flags: {},
    notes: [
      'bash  in ~/.bashrc:                  eval "$(holdpoint completion bash)"',
      'zsh   in ~/.zshrc, after compinit:   eval "$(holdpoint completion zsh)"',
      "fish  in ~/.config/fish/config.fish: holdpoint completion fish | source",
    ],
    async run({ args, out }) {
      const [name = ""] = args.words
      const shell = Object.hasOwn(shells, name) ? shells[name] : undefined
      if (shell === undefined)
        throw wrongUse(
          `There is no completion for “${name}”.`,
          didYouMean(name, names, `There is ${names.join(", ")}.`),
        )
      for (const line of shell(toTable(await loadCommands()))
        .trimEnd()
        .split("\n"))
        out.say(line)
      return 0
    },
  }
}
