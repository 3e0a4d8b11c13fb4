// Leaks secrets in errors that are caught.

import { HoldpointError } from "@holdpoint/hub"
import { hear } from "@holdpoint/testkit/canaries/note"
import { expect, it } from "vitest"
import { newSecret } from "./secrets.ts"

it("fails, and it is caught", () => {
  const fail = (): never => {
    throw new HoldpointError("invalid_config", `The key ${newSecret("key", "message")} is wrong.`)
  }
  expect(fail).toThrow(HoldpointError)
  const cause = { status: "lost", reason: newSecret("refresh_token", "cause") }
  expect(new HoldpointError("connection_needed", "It is over.", { cause })).toBeInstanceOf(Error)
})

it("reports", () => {
  hear("report", "a server", `polling failed with ${newSecret("poll_token", "report")}`)
})
