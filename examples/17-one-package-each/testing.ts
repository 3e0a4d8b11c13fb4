// A test: a scripted person sees the question and does nothing, and the clock is advanced past the deadline.
import assert from "node:assert/strict"
import { createHub, createMemoryStorage, form } from "@holdpoint/hub"
import { createTestClock, person } from "@holdpoint/testing"

const [ada, runtime] = [person().ignores(), createTestClock()]
const hub = createHub({ storage: createMemoryStorage(), outlets: (hub) => [ada.outlet(hub)], runtime })
const requester = { id: "release-script" }
const asked = await hub.ask({ message: "Release it?", form: form({}), audience: ada.principal, requester })
const waiting = hub.wait(asked)
await ada.sees()
await runtime.advance(10 * 60_000)
assert.equal((await waiting).status, "expired")
await hub.close()
