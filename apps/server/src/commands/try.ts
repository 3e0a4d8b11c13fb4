// `holdpoint try`: a short story in the terminal. Everything runs in this process; an MCP client calls a tool, and you
// see what happens. Without a terminal, a scripted person answers.

import type { Call, Command, ExitCode } from "../command.ts"
import { isInteractive } from "../io.ts"
import { bold, dim } from "../output.ts"
import type { User } from "../try/client.ts"
import type { Person } from "../try/person.ts"
import { startHere } from "./demo.ts"

export const tryIt: Command = {
  name: "try",
  summary: "See how it works in this terminal: a tool needs an account, asks you, and continues.",
  usage: "[flags]",
  words: { least: 0, most: 0 },
  usesDatabase: false,
  flags: {
    port: { value: "NUMBER", help: "the port to listen on (default 4650, or the next free one)" },
    reset: { help: "start fresh: delete what earlier runs stored" },
    play: { help: "let a scripted person answer, from a fresh start" },
  },
  notes: [
    "Everything is stored in .holdpoint/try in this folder. Without a terminal, a scripted person answers.",
    "`holdpoint demo` starts the same, to try in the browser.",
  ],
  async run(call) {
    const isScripted = call.args.has("play") || !isInteractive(call.io) || call.io.stdout.isTTY !== true
    const demo = await startHere(call, {
      folder: isScripted ? "play" : "try",
      isFresh: isScripted || call.args.has("reset"),
    })
    try {
      call.out.say(
        bold("Everything is running"),
        ` at ${demo.server.publicUrl}: store, sign-in, Nextcloud, MCP server.`,
      )
      call.out.say(dim(`The Nextcloud is a stand-in, at ${demo.standIn.url}.`))
      return await (isScripted ? runScripted(call, demo.mcpUrl) : runInteractive(call, demo.mcpUrl))
    } finally {
      await demo.close()
    }
  },
}

async function runScripted(call: Call, url: string): Promise<ExitCode> {
  const { createScriptedPerson } = await import("../try/scripted.ts")
  return startStory(call, url, createScriptedPerson(call.out))
}

async function runInteractive(call: Call, url: string): Promise<ExitCode> {
  const { createTerminalPerson } = await import("../try/terminal.ts")
  const person = createTerminalPerson(call.io, call.out)
  try {
    const code = await startStory(call, url, person)
    call.out.say("")
    call.out.say(dim("With a page to try it on:  "), "npx holdpoint demo")
    call.out.say(dim("With your own Nextcloud:   "), "npx holdpoint nextcloud --host https://cloud.example.org")
    return code
  } catch (error) {
    if (!call.io.signal.aborted) throw error
    call.out.say("")
    call.out.say("Stopped. Connected accounts stay connected.")
    return 1
  } finally {
    person.close()
  }
}

async function startStory({ io, out }: Call, url: string, person: Person): Promise<ExitCode> {
  const [{ openClient }, { runStory }] = await Promise.all([import("../try/client.ts"), import("../try/story.ts")])
  let prompts = 0
  const user: User = {
    signIn: person.signIn,
    onQuestion(...params) {
      prompts += 1
      return person.onQuestion(...params)
    },
  }
  const client = await openClient(url, user, io.signal)
  try {
    return await runStory({ io, out, client, person, hasAsked: () => prompts > 0 })
  } finally {
    await client.close()
  }
}
