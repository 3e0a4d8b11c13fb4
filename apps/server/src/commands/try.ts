// `holdpoint try`: the first minute. A small program asks you; or, where nobody sits, plays itself through.

import { mkdirSync, rmSync } from "node:fs"
import { join, relative } from "node:path"
import type { Hub, Outlet, Principal } from "holdpoint"
import { createHub } from "holdpoint"
import { createTerminalOutlet } from "holdpoint/terminal"
import type { Call, Command, ExitCode } from "../command.ts"
import { howToAnswer, toCommand } from "../instructions.ts"
import { isInteractive, promptGone } from "../io.ts"
import { bold, dim } from "../output.ts"
import type { Place } from "../try/play.ts"
import { release, tellIfFound } from "../try/release.ts"
import { openTried } from "../try/storage.ts"

export const tryIt: Command = {
  name: "try",
  summary: "Let a small program ask you something, here and now.",
  usage: "[flags]",
  words: { least: 0, most: 0 },
  usesDatabase: false,
  flags: {
    reset: { help: "forget earlier tries" },
    play: { help: "play it through with a scripted person, killing the program on the way" },
  },
  notes: ["Its questions are in .holdpoint/try.db in this folder. Without a terminal it plays itself through."],
  async run(call) {
    const isPlayed = call.given.has("play") || !isInteractive(call.io) || call.io.stdout.isTTY !== true
    const place = placeOf(call, isPlayed ? "play" : "try")
    if (isPlayed || call.given.has("reset")) reset(place)
    mkdirSync(join(call.io.cwd, ".holdpoint"), { recursive: true })
    if (!isPlayed) return live(call, place)
    const { play } = await import("../try/play.ts")
    return play(call, place)
  },
}

function placeOf({ io }: Call, name: string): Place {
  const folder = join(io.cwd, ".holdpoint")
  return { database: join(folder, `${name}.db`), record: join(folder, `${name}-releases.txt`) }
}

function reset({ database, record }: Place): void {
  for (const file of ["", "-wal", "-shm", "-bell"].map((end) => database + end)) rmSync(file, { force: true })
  rmSync(record, { force: true })
}

async function live(call: Call, place: Place): Promise<ExitCode> {
  const { out, io } = call
  const me: Principal = { tenant: "local", issuer: "local", subject: io.user }
  const where = { me, sameDatabase: ["--database", relative(io.cwd, place.database)] }
  out.say(bold("Holdpoint: a program stops, asks you, and carries on with your answer."))
  out.say("")
  const storage = await openTried(place.database)
  const hub: Hub = createHub({ storage, outlets: [createDesk(call, where, () => hub)], runtime: io.runtime })
  try {
    const id = await release({ hub, out, me, record: place.record, now: io.runtime.now, signal: io.signal })
    out.say("")
    out.say(dim("What happened:  "), toCommand(["show", id], where))
    out.say(dim("In a script:    "), 'npx holdpoint ask "Deploy to production?" && ./deploy.sh')
    out.say(dim("All commands:   "), "npx holdpoint help")
    return 0
  } catch (error) {
    if (!io.signal.aborted) throw error
    await hub.close()
    await promptGone()
    out.say("Stopped. The question stays: start again, and it is still there.")
    return 1
  } finally {
    await hub.close()
    await storage.close()
  }
}

type Where = Parameters<typeof howToAnswer>[1]

/** The terminal, with a few words before the question. */
function createDesk({ out, io }: Call, where: Where, hub: () => Hub): Outlet {
  const terminal = createTerminalOutlet({
    as: where.me,
    hub,
    input: io.stdin,
    output: io.stderr,
    now: io.runtime.now,
    howToAnswer: (question) => howToAnswer(question, where),
  })
  return {
    ...terminal,
    deliver(question) {
      tellIfFound(out, question, io.runtime.now())
      out.say("")
      out.say(dim("     You may also answer in another terminal, in this folder:"))
      out.say(dim(`       ${toCommand(["answer", question.id], where)}`))
      out.say(dim("     Or kill this program and start it again: the question stays."))
      out.say(dim(`       kill -9 ${process.pid}`))
      return terminal.deliver(question)
    },
  }
}
