// The first minutes in a terminal, with a scripted person and with a user.

import { PassThrough } from "node:stream"
import { systemRuntime } from "@holdpoint/sdk"
import { describe, expect, it } from "vitest"
import type { Output } from "../src/output.ts"
import { createScriptedPerson } from "../src/try/scripted.ts"
import { toTable } from "../src/try/table.ts"
import { createTerminalPerson } from "../src/try/terminal.ts"
import { createWorld, type RunningCommand } from "./world.ts"

const anywhere = ["--port", "0"]
const quiet = (): void => {}
const silent: Output = { say: quiet, note: quiet, json: quiet, progress: quiet, clearProgress: quiet }

describe("holdpoint try", { timeout: 30_000 }, () => {
  it("runs with a scripted person where there is no terminal: signing in, consent, result, and a confirmed deletion", async () => {
    const { code, out, err } = await createWorld().run(["try", ...anywhere])
    expect({ code, err }).toEqual({ code: 0, err: "" })
    const story = [
      "Everything is running",
      "signs in",
      "“Let “holdpoint try” use Nextcloud tools?” and allows it",
      "chooses “List notes (nc_notes_list_notes)”",
      "calls nc_notes_list_notes",
      "asks you to connect Nextcloud",
      "/connect/",
      "“Connect Nextcloud (stand-in)?” and says yes",
      "“Connect to your account” at the Nextcloud, and grants access as alice",
      "✔ The same call returned",
      "Einkaufsliste",
      "calls nc_notes_delete_note",
      "“Allow more at Nextcloud (stand-in)?” and says yes",
      "Delete the note “Wi-Fi at the cottage”",
      "alice:  says yes",
      "deleted: Wi-Fi at the cottage",
    ]
    let at = 0
    for (const words of story) {
      expect(out.slice(at), words).toContain(words)
      at = out.indexOf(words, at) + words.length
    }
  })

  it("prints each link at the terminal, continues automatically, and asks there before it deletes", async () => {
    const { trying, alice } = await begin()
    const [, link = ""] = await trying.prints(/(http:\S+\/connect\/\S+)\n/)
    await alice.onQuestion({ mode: "url", message: "", url: link, elicitationId: "" }, never)
    await trying.prints(/Budget 2027/)
    await trying.prints(/Delete the note/)
    trying.stdin.write("\n")
    const [, second = ""] = await trying.prints(new RegExp(`(http:\\S+/connect/(?!${link.split("/").at(-1)})\\S+)\\n`))
    await alice.onQuestion({ mode: "url", message: "", url: second, elicitationId: "" }, never)
    await trying.prints(/\(yes, no\) \(c: cancel\)/)
    trying.stdin.write("n\n")
    const { code, out } = await trying.done
    expect(out).toContain("The user said no")
    expect(code).toBe(1)
  })

  it("calls again on Enter and gives up on c, while the link is open", async () => {
    const { trying } = await begin()
    const [, link = ""] = await trying.prints(/(http:\S+\/connect\/\S+)\n/)
    trying.stdin.write("\n")
    await trying.prints(new RegExp(`calls nc_notes_list_notes[\\s\\S]*calls nc_notes_list_notes[\\s\\S]*${link}`))
    trying.stdin.write("c\n")
    const { code, out } = await trying.done
    expect({ code, cancelled: out.includes("Cancelled. Nothing was changed.") }).toEqual({ code: 1, cancelled: true })
  })

  it("asks no question the second time, and says how to start fresh", async () => {
    const world = createWorld()
    const first = await begin(world)
    // At another address the issuer differs, so people are different.
    const [, port = ""] = await first.trying.prints(/Everything is running at http:\/\/127\.0\.0\.1:(\d+)/)
    const [, link = ""] = await first.trying.prints(/(http:\S+\/connect\/\S+)\n/)
    await first.alice.onQuestion({ mode: "url", message: "", url: link, elicitationId: "" }, never)
    await first.trying.prints(/Delete the note/)
    first.trying.stdin.write("n\n")
    expect((await first.trying.done).out).not.toContain("You were not asked")
    const second = await begin(world, ["--port", port])
    await second.trying.prints(/You were not asked: you allowed it before. `holdpoint try --reset` starts fresh/)
    await second.trying.prints(/Delete the note/)
    second.trying.stdin.write("n\n")
    expect((await second.trying.done).out).not.toContain("/connect/")
    const afresh = await begin(world, [...anywhere, "--reset"])
    await afresh.trying.prints(/(http:\S+\/connect\/\S+)\n/)
    afresh.trying.stdin.write("c\n")
    expect(await afresh.trying.done).toMatchObject({ code: 1 })
  })

  it("ends with an error when the input ends before an answer", async () => {
    const trying = createWorld().start(["try", ...anywhere], { isTerminal: true, env: { NO_COLOR: "1" } })
    const [, link = ""] = await trying.prints(/Open:\s+(http:\S+)/)
    trying.stdin.end()
    await createScriptedPerson(silent).signIn(link)
    expect(await trying.done).toMatchObject({ code: 2, err: expect.stringContaining("The input has ended") })
  })

  it("ends immediately when it is stopped", async () => {
    const trying = createWorld().start(["try", ...anywhere], { isTerminal: true, env: { NO_COLOR: "1" } })
    await trying.prints(/Sign in first/)
    trying.stop()
    expect(await trying.done).toMatchObject({ code: 1, out: expect.stringContaining("Stopped.") })
  })

  /** Waits for the choice of a tool, and chooses the first. */
  async function begin(
    world = createWorld(),
    argv: readonly string[] = anywhere,
  ): Promise<{ trying: RunningCommand; alice: ReturnType<typeof createScriptedPerson> }> {
    const trying = world.start(["try", ...argv], {
      isTerminal: true,
      env: { NO_COLOR: "1" },
    })
    const alice = createScriptedPerson(silent)
    const [, link = ""] = await trying.prints(/Open:\s+(http:\S+)/)
    await alice.signIn(link)
    await trying.prints(/Which one should be called/)
    trying.stdin.write("\n")
    return { trying, alice }
  }

  const never = new AbortController().signal
})

describe("a user at the terminal", () => {
  it("is asked without control characters", async () => {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
    const { signal } = new AbortController()
    const io = { stdin, stdout, stderr, env: {}, cwd: "", user: "ana", runtime: systemRuntime, signal }
    const person = createTerminalPerson(io, silent)
    const agrees = person.confirm("Delete the note “\u001b[2J”?")
    stdin.write("n\n")
    expect([await agrees, stderr.read().toString()]).toEqual([false, "Delete the note “\ufffd[2J”? [Y/n] "])
    person.close()
  })
})

describe("the table of a result", () => {
  it("aligns wide characters, and says how many rows are not shown", () => {
    const rows = Array.from({ length: 14 }, (_, id) => ({
      id,
      title: id === 0 ? "東京" : "Bern",
      seen: "2026-01-02T03:04:05Z",
    }))
    const table = toTable(rows)
    expect(table.slice(0, 3)).toEqual(["id  title  seen", "0   東京   2026-01-02 03:04", "1   Bern   2026-01-02 03:04"])
    expect(table.at(-1)).toBe("… and 2 more")
  })
})
