// Untrusted text must not control the terminal, and passwords must not leave the command.

import { PassThrough } from "node:stream"
import { systemRuntime } from "@holdpoint/hub"
import { plain, plainJson } from "@holdpoint/terminal"
import { createWorld } from "@holdpoint/testkit/holdpoint/world"
import { describe, expect, it } from "vitest"
import { createBackgroundReport } from "../src/background-report.ts"
import { createOutput } from "../src/output.ts"
import { redact, toShownDatabase } from "../src/redact.ts"

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for.
const unsafe = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u

describe("untrusted text", () => {
  const texts = [
    "\u001b[2J",
    "\u009b31m",
    "\u001b]52;c;x\u0007",
    "a\rb",
    "\u202Eevil",
    "\u2066x\u2069",
    "\u0000",
    "\u{e0041}",
  ]

  it.each(texts.map((text) => [plainJson(text), text]))("is shown without control characters: %s", (_title, text) => {
    expect(plain(text)).not.toMatch(unsafe)
    expect(plainJson({ text })).not.toMatch(unsafe)
    expect(JSON.parse(plainJson({ text }))).toEqual({ text })
  })

  it("reaches no stream of any command with control characters", async () => {
    const world = createWorld()
    const evil = "Deploy?\u009b2J\u202E"
    const asked = await world.run(["ask", evil, "--text", `n\u009bm`, "--from", "x\u202Ey", "--no-wait"])
    const id = asked.out.trim()
    const runs = [
      asked,
      await world.run(["pending"]),
      await world.run(["pending", "--json"]),
      await world.run(["show", id]),
      await world.run(["show", id, "--json"]),
      await world.run(["answer", id]),
      await world.run(["answer", id, "\u001b[2J=1"]),
      await world.run(["cancel", id, "--reason", "\u001b[2J"]),
      await world.run(["show", id]),
      await world.run(["\u001b[2J"]),
      await world.run(["ask", "?", "--\u001b[2J"]),
    ]
    for (const { out, err } of runs) expect(out + err).not.toMatch(unsafe)
  })

  it("that was stored reaches no stream with its marks or control characters", async () => {
    const world = createWorld()
    const { out } = await world.run(["ask", "Deploy?\u2066 now\u200f", "--text", "note", "--no-wait"])
    const id = out.trim()
    const pending = [await world.run(["pending"]), await world.run(["pending", "--json"])]
    expect(await world.run(["answer", id, "note=\u001b[2J\u009b31m"])).toMatchObject({ code: 0 })
    const results = [await world.run(["show", id]), await world.run(["show", id, "--json"])]
    for (const run of pending) expect(run.out).toContain("Deploy?")
    for (const run of results) expect(run.out).toContain("[2J")
    for (const run of [...pending, ...results]) expect(run.out + run.err).not.toMatch(unsafe)
  })
})

describe("passwords", () => {
  const canary = "cAn4ry%2Fw0rd"
  const urls = [
    `postgres://ana:${canary}@127.0.0.1:1/db`,
    `postgresql://ana:${canary}@[bad/db`,
    `postgres://ana:p@${canary}@127.0.0.1:1/db`,
    `postgres://127.0.0.1:1/db?user=ana&password=${canary}`,
    `mysql://ana:${canary}@127.0.0.1/db`,
    `mysql://127.0.0.1/db?user=ana&password=${canary}`,
  ]

  it.each(urls)("do not appear when %s cannot be used", async (url) => {
    for (const [argv, env] of [
      [["pending"], { DATABASE_URL: url, HOLDPOINT_DEBUG: "1" }],
      [["pending", "--database", url], { HOLDPOINT_DEBUG: "1" }],
    ] as const) {
      const { code, out, err } = await createWorld().run(argv, { env })
      expect(code).not.toBe(0)
      expect(out + err).not.toMatch(/cAn4ry|w0rd/)
    }
  })

  it.each(["text", "json"] as const)("are left out of a background error that is reported as %s", (log) => {
    const database = `postgres://ana:${canary}@127.0.0.1:1/db`
    const stderr = new PassThrough({ encoding: "utf8" })
    const [stdin, stdout, { signal }] = [new PassThrough(), new PassThrough(), new AbortController()]
    const io = { stdin, stdout, stderr, env: {}, cwd: "/", user: "ana", runtime: systemRuntime, signal }
    const report = createBackgroundReport({ io, out: createOutput(io) }, { log, database })
    report("listening", new Error(`no connection to ${database} with the password cAn4ry/w0rd`))
    const printed = stderr.read()
    expect(printed).toContain("no connection to postgres://ana:***@127.0.0.1:1/db with the password ***")
    expect(printed).not.toMatch(/cAn4ry|w0rd/)
  })

  it("are left out of an address that is shown", () => {
    expect(toShownDatabase(`postgres://ana:${canary}@host/db`)).toBe("postgres://ana:***@host/db")
    expect(toShownDatabase("postgres://ana:a/b@host/db")).toBe("postgres://ana:***@host/db")
    expect(toShownDatabase("./a:b@c.db")).toBe("./a:b@c.db")
  })

  it("are redacted in any text, encoded or decoded", () => {
    const database = `postgres://ana:${canary}@host/db`
    expect(redact(`x ${canary} y cAn4ry/w0rd z ${database}`, database)).toBe("x *** y *** z postgres://ana:***@host/db")
  })
})
