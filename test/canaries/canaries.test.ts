// Every kind of deliberate leak is found, and a run without leaks passes.

import { execFile } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { CanaryKind } from "@holdpoint/testkit/canaries/kinds"
import { createSearch, spellingsOf } from "@holdpoint/testkit/canaries/search"
import { describe, expect, it } from "vitest"
import { secretOf } from "./leaks/secrets.ts"

interface Ran {
  readonly code: number | null
  readonly output: string
}

/** Runs the leaks of these files as a separate test run. */
function leak(...files: readonly string[]): Promise<Ran> {
  const { DATABASE_URL: _ours, ...others } = process.env
  const env = { ...others, LEAKS_WITHOUT_POSTGRES: files.includes("none") ? "1" : "0" }
  const vitest = fileURLToPath(import.meta.resolve("vitest/package.json")).replace(/package\.json$/, "vitest.mjs")
  const root = join(import.meta.dirname, "leaks")
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [vitest, "run", "--root", root, ...files], { env }, (_error, out, err) =>
      resolve({ code: child.exitCode, output: `${out}${err}` }),
    )
  })
}

const foundIn = ({ output }: Ran): readonly string[] =>
  [...output.matchAll(/^A secret leaked: (.*)$/gm)].map(([, line = ""]) => line).sort()

describe("a test run", () => {
  it("fails although all its tests pass, and says what leaked and where", async () => {
    const ran = await leak()
    expect(foundIn(ran)).toEqual([
      "access_token, printed, the output of the run",
      "access_token, stream, the log of a run",
      "app_password, printed, the output of the run",
      "client_secret, printed, the output of the run",
      "code, page, GET /callback",
      "cookie, page, GET /body",
      "cookie, page, GET /callback",
      "entered, page, GET /body",
      "key, error, HoldpointError",
      expect.stringMatching(/^nonce, database, [0-9A-F]{24}$/),
      "poll_token, report, a server",
      "refresh_token, error, HoldpointError",
      "verifier, database, hub.db",
    ])
    expect(ran.output).not.toMatch(/\b[1-9]\d* failed/)
    expect(ran.code).toBe(1)
    const leaks: readonly (readonly [CanaryKind, string])[] = [
      ["key", "message"],
      ["refresh_token", "cause"],
      ["code", "callback"],
      ["verifier", "sqlite"],
      ["nonce", "postgres"],
      ["access_token", "stream"],
    ]
    for (const [kind, name] of leaks) expect(ran.output).not.toContain(secretOf(kind, name))
  })

  it("passes when there is no leak", async () => {
    const ran = await leak("none")
    expect(foundIn(ran)).toEqual([])
    expect(ran.code).toBe(0)
  })
})

describe("the search", () => {
  const canary = { kind: "access_token", value: "s3cret/with+signs&more=of~them" } as const
  const search = createSearch([canary])

  it("finds a secret at any position, in every spelling", () => {
    for (let before = 0; before < 40; before++)
      for (const spelling of spellingsOf(canary.value)) {
        const text = `${"x".repeat(before)}${spelling}${"y".repeat(before % 7)}`
        expect(search.find(Buffer.from(text)), text).toContainEqual({ canary, at: before })
      }
  })

  it("finds a secret in the base64 of a longer text, at any offset", () => {
    for (const name of ["a", "al", "ali", "alic", "alice"])
      for (const after of ["", ".", "..", "..."]) {
        const text = Buffer.from(`${name}:${canary.value}${after}`).toString("base64")
        expect(search.find(Buffer.from(text)), text).not.toEqual([])
      }
  })

  it("does not find a text that is only similar", () => {
    expect(search.find(Buffer.from(`${canary.value.slice(0, -1)} ${canary.value.slice(1)}`))).toEqual([])
  })
})
