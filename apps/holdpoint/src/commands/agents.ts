// `holdpoint agents`: the lists of tools of foreign servers, and the acceptance of a list that changed.

import type { Call, Command, ExitCode } from "../command.ts"
import { didYouMean, wrongUse } from "../wrong-use.ts"

const actions: Readonly<Record<string, (call: Call) => Promise<ExitCode>>> = {
  tools: async (call) => (await import("../accept-tools.ts")).listTools(call),
  accept: async (call) => (await import("../accept-tools.ts")).acceptTools(call),
}

export const agents: Command = {
  name: "agents",
  summary: "Show and accept changed tools of the MCP servers and remote agents that your agents use.",
  usage: "tools | accept NAME [flags]",
  actions: Object.keys(actions),
  words: { least: 1, most: 2 },
  usesDatabase: true,
  flags: {},
  notes: [
    "tools         lists the servers whose tools were listed, and what changed since a list was accepted.",
    "accept NAME   shows what changed, and accepts the list that it has shown.",
    "",
    "The first list of a server counts as accepted. After a change, its tools are asked about, even where a policy is",
    "“always”, until you accept the new list. NAME is the server's name in `mcpServers`; that of a remote agent is",
    "a2a: and its name in `a2aAgents`.",
  ],
  async run(call) {
    const [word = "", name] = call.args.words
    const action = Object.hasOwn(actions, word) ? actions[word] : undefined
    if (action === undefined) {
      const names = Object.keys(actions)
      throw wrongUse(
        `“holdpoint agents” has no action “${word}”.`,
        didYouMean(word, names, `Write holdpoint agents ${names.join("|")}.`),
      )
    }
    if (word === "tools" && name !== undefined) throw wrongUse(`“${name}” is one word too many for “agents tools”.`)
    return action(call)
  },
}
