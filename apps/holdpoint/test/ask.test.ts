// Asking from a script: the answer on standard output, everything else on standard error, the outcome in the exit code.

import { join } from "node:path"
import { openSqlite } from "@holdpoint/hub/sqlite"
import { createTestClock } from "@holdpoint/testing"
import { createWorld, idIn } from "@holdpoint/testkit/holdpoint/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"

const where = [
  "ask",
  "Where to?",
  "--choice",
  "env=staging,production",
  "--integer",
  "percent",
  "--text",
  "note",
  "--optional",
  "note",
]

describe("holdpoint ask", () => {
  verifies(
    "command.ask-and-answer",
    "waits for another terminal and prints only the answer on standard output",
    async () => {
      const world = createWorld()
      const asking = world.start(where)
      const [, id = ""] = await asking.prints(/npx holdpoint answer (\S+) env=… percent=… note=…/)
      const answered = await world.run(["answer", id.slice(0, 8), "env=staging", "percent=25"])
      expect(answered).toMatchObject({ code: 0, out: "✔ Answered.\n" })
      expect(await asking.done).toMatchObject({ code: 0, out: '{"env":"staging","percent":25}\n' })
    },
  )

  it("leaves Slack messages and e-mails to the server with the same settings", async () => {
    const world = createWorld()
    const env = { SLACK_BOT_TOKEN: "xoxb-1", SLACK_APP_TOKEN: "xapp-1", HOLDPOINT_EMAIL_FROM: "ask@example.com" }
    await world.run(["ask", "Deploy?", "--no-wait"], { env })
    const storage = await openSqlite(join(world.cwd, ".holdpoint/holdpoint.db"))
    const entries = await storage.trail.read({ limit: 10 })
    await storage.close()
    expect(entries.flatMap(({ detail }) => Object.keys(detail.owed ?? {})).toSorted()).toEqual(["email", "slack"])
  })

  it.each([
    [["--accept"], 0, "{}\n", ""],
    [["--decline", "--reason", "not on a Friday"], 1, "", /declined by ana at .*: not on a Friday\./],
    [["--cancel"], 1, "", /cancelled by ana/],
  ])("without fields is a yes-or-no question: %j gives exit code %i", async (words, code, out, err) => {
    const world = createWorld()
    const asking = world.start(["ask", "Deploy to production?"])
    const [, id = ""] = await asking.prints(/answer (\S+) --accept/)
    await world.run(["answer", id, ...words])
    const ran = await asking.done
    expect(ran).toMatchObject({ code, out })
    expect(ran.err).toMatch(err)
  })

  it.each([
    [["--accept"], 0, '{"confirmed":"yes"}\n'],
    [["confirmed=yes"], 0, '{"confirmed":"yes"}\n'],
    [["confirmed=no"], 1, '{"confirmed":"no"}\n'],
    [["--decline"], 1, ""],
  ])("with --yes and --no is a yes-or-no question, too: %j gives exit code %i", async (words, code, out) => {
    const world = createWorld()
    const asking = world.start(["ask", "The tests are green.", "--yes", "Deploy", "--no", "Not now"])
    const [, id = ""] = await asking.prints(/answer (\S+) --accept/)
    expect((await world.run(["answer", id])).err).toContain("one of yes (Deploy), no (Not now)")
    await world.run(["answer", id, ...words])
    expect(await asking.done).toMatchObject({ code, out })
  })

  it("shows the words of --yes and --no at the terminal, where Enter without a choice selects neither", async () => {
    const world = createWorld()
    const argv = ["ask", "The tests are green.", "--yes", "Deploy", "--no", "Not now"]
    const asking = world.start(argv, { isTerminal: true })
    await asking.prints(/navigate/)
    asking.stdin.write("\r")
    await asking.prints(/(navigate.*){2}/s)
    asking.stdin.write("\x1b[B\x1b[B\r")
    expect(await asking.done).toMatchObject({ code: 1, out: '{"confirmed":"no"}\n' })
    await asking.prints(/Deploy.*Not now.*Sent: Not now\./s)
  })

  it("prints the whole outcome with --json", async () => {
    const world = createWorld()
    const asking = world.start(["ask", "Deploy?", "--json"])
    const [, id = ""] = await asking.prints(/answer (\S+) --accept/)
    await world.run(["answer", id, "--decline", "--reason", "no"])
    const { code, out } = await asking.done
    expect(code).toBe(1)
    expect(JSON.parse(out)).toEqual({ id, status: "declined", reason: { code: "person_declined", message: "no" } })
  })

  verifies("command.exit-status", "ends with exit code 1 when the question expires", async () => {
    const runtime = createTestClock()
    const asking = createWorld().start(["ask", "Deploy?", "--timeout", "30s"], { runtime })
    await asking.prints(/answer \S+ --accept/)
    await runtime.advance(30_000)
    const { code, err } = await asking.done
    expect(code).toBe(1)
    expect(err).toMatch(/No answer: expired at/)
  })

  it("takes the question back on Ctrl-C", async () => {
    const world = createWorld()
    const asking = world.start(["ask", "Deploy?"])
    const [, id = ""] = await asking.prints(/answer (\S+) --accept/)
    asking.stop()
    expect(await asking.done).toMatchObject({ code: 1, err: expect.stringContaining("Cancelled: ") })
    expect((await world.run(["show", id])).out).toMatch(/status +cancelled .*The asker is no longer waiting/)
  })

  it("with --no-wait prints the id, and the same key finds the question and its answer again", async () => {
    const world = createWorld()
    const argv = ["ask", "Which one?", "--text", "name", "--key", "once"]
    const first = await world.run([...argv, "--no-wait"])
    const id = first.out.trim()
    expect(first).toEqual({ code: 0, out: `${idIn(first.out)}\n`, err: "" })
    const again = world.start(argv)
    await again.prints(new RegExp(`Found: asked .* ago .*pending, id ${id}`))
    await world.run(["answer", id, "name=Ada"])
    expect(await again.done).toMatchObject({ code: 0, out: '{"name":"Ada"}\n' })
    const later = await world.run(argv)
    expect(later).toMatchObject({ code: 0, out: '{"name":"Ada"}\n' })
    expect(later.err).toMatch(/^Found: .*completed/)
    expect(await world.run(["ask", "Another?", "--key", "once"])).toMatchObject({ code: 1 })
  })

  it("says that the answer is no longer stored, when the same key is asked later", async () => {
    const world = createWorld()
    const argv = ["ask", "Which one?", "--text", "name", "--key", "once"]
    const id = (await world.run([...argv, "--no-wait"])).out.trim()
    await world.run(["answer", id, "name=Ada"])
    const storage = await openSqlite(join(world.cwd, ".holdpoint", "holdpoint.db"))
    const nothing = { contentReadBefore: 0, questionSettledBefore: 0, recordExpiresBy: 0 }
    expect(await storage.retention.forget({ ...nothing, contentSettledBefore: Date.now() + 60_000 })).toMatchObject({
      contents: 1,
    })
    await storage.close()
    expect(await world.run(argv)).toMatchObject({
      ...{ code: 1, out: "" },
      err: expect.stringContaining("its answer is no longer stored. Ask again with another --key."),
    })
    const { code, out } = await world.run([...argv, "--json"])
    expect([code, JSON.parse(out)]).toEqual([1, { id, status: "completed" }])
  })

  it("says how to cancel a question that it releases while another asker still waits for it", async () => {
    const world = createWorld()
    const argv = ["ask", "Deploy?", "--key", "k"]
    const { out } = await world.run([...argv, "--no-wait"])
    const again = world.start(argv)
    await again.prints(/answer \S+ --accept/)
    again.stop()
    const { code, err } = await again.done
    expect(code).toBe(1)
    expect(err).toContain(`To withdraw it: npx holdpoint cancel ${out.trim()}`)
  })

  it("asks at this terminal when the question is for its user, and takes the answer there", async () => {
    const world = createWorld()
    const asking = world.start(["ask", "Deploy?"], { isTerminal: true, env: { NO_COLOR: "1" } })
    await asking.prints(/Or in another terminal: npx holdpoint answer \S+ --accept/)
    await asking.prints(/Do not deploy\s[\s\S]*navigate/)
    asking.stdin.write("\x1b[B\r")
    expect(await asking.done).toMatchObject({ code: 0, out: "{}\n" })
  })

  it("removes its prompt when another terminal was first", async () => {
    const world = createWorld()
    const asking = world.start(["ask", "Deploy?", "--text", "name"], { isTerminal: true })
    const [, id = ""] = await asking.prints(/npx holdpoint answer (\S+) name=…/)
    await asking.prints(/required/)
    await world.run(["answer", id, "name=Ada"])
    const { code, out, err } = await asking.done
    expect({ code, out }).toEqual({ code: 0, out: '{"name":"Ada"}\n' })
    expect(err).toContain("Answered elsewhere by ana (command).")
  })

  it("shows an answer command with the role that the answer needs", async () => {
    const world = createWorld()
    const asking = world.start(["ask", "Deploy?", "--to-role", "ops", "--database", "other place.db"], {
      isTerminal: true,
    })
    await asking.prints(/answer \S+ --accept --database 'other place\.db' --role ops/)
    await asking.prints(/Waiting for an answer, 5 min left/)
    asking.stop()
    expect((await asking.done).code).toBe(1)
  })

  it("asks to open an address, and ends when its page reports completion", async () => {
    const world = createWorld()
    const asking = world.start(["ask", "Please pay.", "--url", "https://pay.example.com/{id}"])
    const [, id = ""] = await asking.prints(/address {2}https:\/\/pay\.example\.com\/(\S+)/)
    expect(await world.run(["complete", id])).toMatchObject({ code: 1, err: expect.stringContaining("--accept") })
    expect((await world.run(["answer", id, "--accept"])).out).toContain(`Now open https://pay.example.com/${id}`)
    expect(await world.run(["complete", id])).toMatchObject({ code: 0, out: "✔ It is completed.\n" })
    expect(await asking.done).toMatchObject({ code: 0, out: "{}\n" })
  })
})
