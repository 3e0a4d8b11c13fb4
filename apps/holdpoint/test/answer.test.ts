// Answering, listing, showing and cancelling on the command line.

import type { World } from "@holdpoint/testkit/holdpoint/world"
import { createWorld } from "@holdpoint/testkit/holdpoint/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"

const fields = [
  "--choice",
  "env=staging,production",
  "--integer",
  "percent",
  "--choices",
  "tell=chat,mail",
  "--yes-no",
  "sure",
]

async function asked(world: World, ...flags: readonly string[]): Promise<string> {
  const { out } = await world.run(["ask", "Where to?", "--no-wait", ...flags])
  return out.trim()
}

describe("holdpoint answer", () => {
  it("converts words to the types of the form", async () => {
    const world = createWorld()
    const id = await asked(world, ...fields)
    expect(
      await world.run(["answer", id, "env=staging", "percent=-3", "tell=chat", "tell=mail", "sure=yes"]),
    ).toMatchObject({ code: 0 })
    const { question } = JSON.parse((await world.run(["show", id, "--json"])).out)
    expect(question.content).toEqual({ env: "staging", percent: -3, tell: ["chat", "mail"], sure: true })
  })

  it("names everything that does not fit, keeps the question open, and shows how to write it", async () => {
    const world = createWorld()
    const id = await asked(world, ...fields)
    const { code, out, err } = await world.run(["answer", id, "env=prod", "percent=some", "tell=pigeon", "shure=1"])
    expect({ code, out }).toEqual({ code: 1, out: "" })
    for (const words of [
      "env must be one of",
      "percent must be a whole number",
      "tell may only contain",
      "sure is missing",
      "did you mean “sure”?",
      "still open",
      "yes or no",
    ]) {
      expect(err).toContain(words)
    }
    expect((await world.run(["pending"])).out).toContain(id)
  })

  it.each([
    [["--content", '{"env":"staging","percent":1,"tell":[],"sure":false}'], undefined],
    [["--content", "-"], '{"env":"staging","percent":1,"tell":[],"sure":false}'],
  ])("takes the whole answer as JSON: %j", async (flags, input) => {
    const world = createWorld()
    const id = await asked(world, ...fields)
    const options = input === undefined ? {} : { input }
    expect(await world.run(["answer", id, ...flags], options)).toMatchObject({ code: 0 })
  })

  it("does not repeat a broken answer", async () => {
    const world = createWorld()
    const id = await asked(world, "--text", "name")
    const { code, err } = await world.run(["answer", id, "--content", '{"name": CANARY}'])
    expect(code).toBe(2)
    expect(err).toContain("is not JSON")
    expect(err).not.toContain("CANARY")
  })

  verifies(
    "command.ask-and-answer",
    "says who answered a question, how and when, and accepts the same answer twice",
    async () => {
      const world = createWorld()
      const id = await asked(world)
      await world.run(["answer", id, "--accept"])
      const { code, err } = await world.run(["answer", id, "--decline"])
      expect(code).toBe(1)
      expect(err).toMatch(/answered by ana at \d\d:\d\d:\d\d/)
      expect(err).toContain(`npx holdpoint show ${id}`)
      expect(await world.run(["answer", id, "--accept"])).toMatchObject({
        code: 0,
        out: expect.stringContaining("nothing changed"),
      })
    },
  )

  it("refuses a person who was not asked, and lets a role answer", async () => {
    const world = createWorld()
    const id = await asked(world, "--to-role", "ops")
    const { code, err } = await world.run(["answer", id, "--accept"])
    expect(code).toBe(1)
    expect(err).toContain("It is for anyone with the role ops; you are ana.")
    expect(await world.run(["answer", id, "--accept", "--role", "ops"])).toMatchObject({ code: 0 })
    const { out } = await world.run(["show", id])
    expect(out).toContain("refused: an answer by ana via command (not_addressee)")
    expect(out).toContain("answered by ana via command")
  })

  it.each([
    [["--decline", "--accept"], "do not go together"],
    [["--reason", "because"], "--reason belongs to"],
    [["nonsense"], "Write it as field=value."],
    [["name=a", "name=b"], "“name” is given twice."],
    [[], "name  text"],
  ])("explains a usage error: %j", async (words, expected) => {
    const world = createWorld()
    const id = await asked(world, "--text", "name")
    const { code, err } = await world.run(["answer", id, ...words])
    expect(code).toBe(2)
    expect(err).toContain(expected)
  })

  it("asks at the terminal when no answer is given", async () => {
    const world = createWorld()
    const id = await asked(world)
    const answering = world.start(["answer", id.slice(0, 6)], { isTerminal: true })
    await answering.prints(/navigate/)
    answering.stdin.write("\x1b[B\r")
    expect((await answering.done).code).toBe(0)
    expect((await world.run(["show", id])).out).toContain("answered by ana via terminal")
  })
})

describe("holdpoint pending, show and cancel", () => {
  it("lists what I may answer, and with --all-people everyone's questions", async () => {
    const world = createWorld()
    const [mine, other] = [await asked(world), await asked(world, "--to", "bo@local", "--to", "cy@local")]
    const { out } = await world.run(["pending"])
    expect(out).toMatch(new RegExp(`^${mine}  shell  5 min +Where to\\?$`, "m"))
    expect(out).not.toContain(other)
    expect((await world.run(["pending"], { user: "cy" })).out).toContain(other)
    expect((await world.run(["pending", "--all-people"])).out).toMatch(new RegExp(`${other}  shell  any of bo, cy`))
    expect(JSON.parse((await world.run(["pending", "--json"])).out)).toMatchObject([{ id: mine, message: "Where to?" }])
  })

  it("says when there are no questions, and creates no empty database", async () => {
    const world = createWorld()
    expect(await world.run(["pending"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("No question has been asked here yet"),
    })
    expect(await world.run(["pending", "--json"])).toMatchObject({ code: 0, out: "[]\n" })
    await asked(world, "--to", "bo@local")
    expect(await world.run(["pending"])).toMatchObject({ code: 0, out: "No open questions for ana.\n" })
  })

  it("keeps tenants apart", async () => {
    const world = createWorld()
    const id = await asked(world)
    expect(await world.run(["show", id, "--tenant", "other"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("no question"),
    })
  })

  it("requires at least six characters of an existing id", async () => {
    const world = createWorld()
    const id = await asked(world)
    expect(await world.run(["show", id.slice(0, 5)])).toMatchObject({ code: 2 })
    expect(await world.run(["show", id.slice(0, 6)])).toMatchObject({ code: 0 })
    expect(await world.run(["show", "zzzzzz"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("holdpoint pending"),
    })
  })

  it("takes a question back once, and tells a person who answers later", async () => {
    const world = createWorld()
    const id = await asked(world)
    expect(await world.run(["cancel", id, "--reason", "not needed"])).toMatchObject({ code: 0, out: "✔ Withdrawn.\n" })
    expect(await world.run(["cancel", id])).toMatchObject({ code: 0, out: "✔ It was already withdrawn.\n" })
    expect(await world.run(["answer", id, "--accept"])).toMatchObject({
      code: 1,
      err: expect.stringContaining(": not needed"),
    })
  })
})
