// `holdpoint programs`: makes, lists and removes the keys with which programs ask over HTTP.

import type { Call, Command, ExitCode } from "../command.ts"
import { didYouMean, wrongUse } from "../wrong-use.ts"

const actions: Readonly<Record<string, (call: Call) => Promise<ExitCode>>> = {
  add: async (call) => (await import("../programs.ts")).addProgram(call),
  list: async (call) => (await import("../programs.ts")).listPrograms(call),
  remove: async (call) => (await import("../programs.ts")).removeProgram(call),
}

export const programs: Command = {
  name: "programs",
  summary: "Create, list and remove the keys that programs use to ask over HTTP.",
  usage: "add NAME | list | remove NAME [flags]",
  words: { least: 1, most: 2 },
  usesDatabase: true,
  flags: {
    to: { value: "PERSON", help: "add: a person whom the program may ask (default anyone)", repeats: true },
    "to-role": { value: "ROLE", help: "add: a role that the program may ask", repeats: true },
    only: { value: "MODE", help: "add: form or url, if the program may ask only in this mode" },
  },
  notes: [
    "add     prints the new key on standard output, once: only its hash is kept.",
    "        --to finds people who have signed in to `holdpoint serve` on the same database, or takes SUBJECT@ISSUER.",
    "list    shows each program with the beginning of its key, whom it may ask, and when it was last used.",
    "remove  revokes the key, in every process. Open questions of the program stay open.",
    "",
    "A program asks `holdpoint serve`:",
    '  curl ADDRESS/api/questions -H "Authorization: Bearer $KEY" \\',
    '    -d \'{"message": "Deploy?", "confirm": true, "audience": {"role": "manager"}}\'',
  ],
  async run(call) {
    const [word = "", name] = call.args.words
    const action = Object.hasOwn(actions, word) ? actions[word] : undefined
    if (action === undefined) {
      const names = Object.keys(actions)
      const usage = `Write holdpoint programs ${names.join("|")}.`
      throw wrongUse(`“holdpoint programs” has no action “${word}”.`, didYouMean(word, names, usage))
    }
    if (word === "list" && name !== undefined) throw wrongUse(`“${name}” is one word too many for “programs list”.`)
    const flag = ["to", "to-role", "only"].find((name) => word !== "add" && call.args.has(name))
    if (flag !== undefined)
      throw wrongUse(`--${flag} does nothing for “programs ${word}”.`, "It belongs to: holdpoint programs add NAME")
    return action(call)
  },
}
