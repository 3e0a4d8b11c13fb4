// `holdpoint keys`: generates, rotates and inspects the keys that seal secrets.

import { resolve } from "node:path"
import { createKeyFile, serializeKeyRing, withNewKey } from "@holdpoint/hub/sealing"
import type { Call, Command, ExitCode } from "../command.ts"
import { dropOld } from "../keys/drop.ts"
import { rotate } from "../keys/rotate.ts"
import { status } from "../keys/status.ts"
import { didYouMean, wrongUse } from "../wrong-use.ts"

const actions: Readonly<Record<string, (call: Call) => Promise<ExitCode>>> = {
  generate,
  rotate: (call) => (call.args.has("drop-old") ? dropOld(call) : rotate(call)),
  status,
}

export const keys: Command = {
  name: "keys",
  summary: "Generate, rotate and inspect the keys that seal answers and accounts.",
  usage: "generate|rotate|status [flags]",
  actions: Object.keys(actions),
  words: { least: 1, most: 1 },
  usesDatabase: true,
  flags: {
    file: { value: "FILE", help: "generate: write the new key to this file instead of printing it" },
    "drop-old": { help: "rotate: remove the keys that nothing uses any more" },
  },
  notes: [
    "generate  prints a new key. In production, set HOLDPOINT_KEYS to it in every process, from a secret manager.",
    "rotate    adds a new key to the key file and seals everything with it, while other processes keep working.",
    "          Ctrl-C stops it at any time; the next run continues.",
    "          With HOLDPOINT_KEYS: put the new key before the old ones, separated by a comma, restart every process",
    "          on the database, then rotate.",
    "status    lists the keys, how many records each has sealed, and whether they open this database.",
  ],
  async run(call) {
    const [word = ""] = call.args.words
    const action = Object.hasOwn(actions, word) ? actions[word] : undefined
    if (action !== undefined) {
      refuseFlagsOfOtherActions(call, word)
      return action(call)
    }
    const names = Object.keys(actions)
    throw wrongUse(
      `“holdpoint keys” has no action “${word}”.`,
      didYouMean(word, names, `Write holdpoint keys ${names.join("|")}.`),
    )
  },
}

/** Refuses a flag that has no effect in this action. */
function refuseFlagsOfOtherActions({ args }: Call, word: string): void {
  for (const [flag, owner] of Object.entries({ file: "generate", "drop-old": "rotate" })) {
    if (args.has(flag) && word !== owner)
      throw wrongUse(`--${flag} does nothing for “keys ${word}”.`, `It belongs to: holdpoint keys ${owner} --${flag}`)
  }
}

async function generate({ io, out, args }: Call): Promise<ExitCode> {
  const ring = withNewKey()
  const file = args.one("file")
  if (file === undefined) {
    const serialized = serializeKeyRing(ring).trim()
    if (args.has("json")) out.json({ id: ring.current, key: serialized })
    else out.say(serialized)
    out.note(
      "Set HOLDPOINT_KEYS to it in every process on the database, and keep a copy apart from the database's backups.",
    )
    return 0
  }
  if (!createKeyFile(resolve(io.cwd, file), ring)) {
    throw wrongUse(`The file ${file} already exists. Nothing was changed.`, "`holdpoint keys rotate` adds a key to it.")
  }
  if (args.has("json")) out.json({ id: ring.current, file })
  else out.say(`The key ${ring.current} is in ${file}, which only you can read.`)
  return 0
}
