// The story of `holdpoint try` without anybody to ask: the program runs as a process of its own, is killed while it
// waits, is started again, and a scripted person answers it from here.

import type { ChildProcess } from "node:child_process"
import { spawn } from "node:child_process"
import { once } from "node:events"
import type { Interface } from "node:readline"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import type { Elicitation, Hub, Principal } from "holdpoint"
import { createHub } from "holdpoint"
import { person } from "holdpoint/testing"
import type { Call, ExitCode } from "../command.ts"
import { stepOf } from "../describe.ts"
import { clockTime } from "../duration.ts"
import { bold, dim, red } from "../output.ts"
import type { ReleaseAnswer } from "./release.ts"
import { openTried } from "./storage.ts"

export interface Place {
  readonly database: string
  readonly record: string
}

const answer: ReleaseAnswer = { target: "staging", percent: 25, notify: ["chat"], note: "Faster search" }

export async function play(call: Call, place: Place): Promise<ExitCode> {
  const { out, io } = call
  const me: Principal = { tenant: "local", issuer: "local", subject: io.user }
  const storage = await openTried(place.database)
  const hub = createHub({ storage, outlets: [], runtime: io.runtime })
  const running = new Set<ChildProcess>()
  try {
    out.say(bold("The release program starts."))
    const first = start(call, place, running)
    const question = await questionOf(hub, me, first.exited)
    first.child.kill("SIGKILL")
    await first.exited
    out.say(red("     Killed (SIGKILL) while it waits."))
    out.say("")

    out.say(bold("It is started again."))
    const second = start(call, place, running)
    await second.prints(question.id)
    out.say(dim("     The scripted person answers, from this process."))
    const scripted = person(me, { runtime: io.runtime }).accepts(answer)
    await scripted.outlet(() => hub).deliver(question)
    await scripted.rests()
    const code = await second.exited
    out.say("")

    out.say(bold("What happened to the question:"))
    const now = io.runtime.now()
    for (const entry of await hub.trail({ id: question.id, limit: 100 })) {
      out.say("  ", dim(clockTime(entry.at, now)), "  ", stepOf(entry, now))
    }
    return code === 0 ? 0 : 1
  } finally {
    for (const child of running) child.kill("SIGKILL")
    await hub.close()
    await storage.close()
  }
}

interface Running {
  readonly child: ChildProcess
  /** Its exit code, or null when it was killed; all that it printed has been shown by then. */
  readonly exited: Promise<number | null>
  /** Resolves when it has printed a line with these words. */
  prints(words: string): Promise<void>
}

function start({ out, io }: Call, place: Place, running: Set<ChildProcess>): Running {
  const file = fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "program.ts" : "program.js", import.meta.url))
  const child = spawn(process.execPath, [file, place.database, place.record, io.user], {
    stdio: ["pipe", "pipe", "inherit"],
    signal: io.signal,
  })
  running.add(child)
  const lines = createInterface(child.stdout).on("line", (line) => out.say(line))
  const exited = Promise.all([once(child, "exit"), once(lines, "close")]).then(([[code]]) => {
    running.delete(child)
    return typeof code === "number" ? code : null
  })
  // Aborted before anybody looks: whoever awaits it is told all the same.
  exited.catch(() => {})
  return { child, exited, prints: (words) => Promise.race([lineWith(lines, words), endedEarly(exited)]) }
}

function lineWith(lines: Interface, words: string): Promise<void> {
  return new Promise((resolve) => {
    lines.on("line", (line) => {
      if (line.includes(words)) resolve()
    })
  })
}

/** A program that ends early would leave us waiting for ever. */
async function endedEarly(exited: Promise<unknown>): Promise<never> {
  await exited
  throw new Error("The release program ended before it had asked.")
}

async function questionOf(hub: Hub, { tenant }: Principal, exited: Promise<unknown>): Promise<Elicitation> {
  const asked = async (): Promise<Elicitation> => {
    for await (const { id } of hub.watch({ tenant, afterPosition: 0 })) {
      const question = await hub.get(id)
      if (question !== undefined) return question
    }
    throw new Error("The question is gone.")
  }
  return Promise.race([asked(), endedEarly(exited)])
}
