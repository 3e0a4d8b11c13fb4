// The description of the server under test, made from the flags of the command.

import { expect, it } from "vitest"
import { readArguments } from "../src/command/arguments.ts"
import { readTarget, targetFlags } from "../src/command/target.ts"

const surroundings = { env: {}, cwd: "", signal: new AbortController().signal }
const targetOf = (...argv: readonly string[]) =>
  readTarget(readArguments(["--url", "http://127.0.0.1:3000/mcp", ...argv], targetFlags), surroundings, "conformance")

it("has the times that the flags set, and otherwise those of the library", () => {
  expect(targetOf("--look", "3s", "--timeout", "2m")).toMatchObject({ quietMs: 3_000, legMs: 120_000 })
  const { quietMs, legMs } = targetOf()
  expect({ quietMs, legMs }).toEqual({ quietMs: undefined, legMs: undefined })
  expect(targetFlags.look?.help).toContain("default 1.5s")
})
