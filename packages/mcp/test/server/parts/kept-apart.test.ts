// Tokens that were opened before, or sealed for another purpose, are checked as strictly as the first time.

import { createMemoryStorage } from "@holdpoint/hub"
import { createTokens, withNewKey } from "@holdpoint/hub/sealing"
import { createTestClock } from "@holdpoint/testing"
import { alice, bob } from "@holdpoint/testkit/fixtures"
import { verifies } from "@holdpoint/testkit/verifies"
import { expect } from "vitest"
import { digestOf, personDigestOf } from "../../../../calls/src/digest.ts"
import { createSessions } from "../../../src/server/sessions.ts"
import { openSession, openState } from "../../../src/server/state.ts"

const tokens = createTokens(withNewKey())
const week = 7 * 24 * 60 * 60_000

verifies(
  "mcp.session-has-an-owner",
  "a session that its owner has just used is still refused to others, and expires in time",
  async () => {
    const clock = createTestClock()
    const sessions = createSessions({ storage: createMemoryStorage(), tokens, runtime: clock })
    const hers = { principal: alice, clientId: "c" }
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "Sly", version: "1" } }
    const { session, sealedId: text } = sessions.begin({ method: "initialize", params }, hers)
    expect(await sessions.open(text, hers)).toEqual(session)
    const others = [
      { principal: bob, clientId: "c" },
      { principal: { ...alice, tenant: "evil" }, clientId: "c" },
    ]
    for (const other of [...others, { clientId: "c" }]) expect(await sessions.open(text, other)).toBeUndefined()
    expect(await sessions.open(text, hers)).toEqual(session)
    clock.set(clock.now() + week)
    expect(await sessions.open(text, hers)).toBeUndefined()
  },
)

verifies("mcp.state-sealed", "a state sealed as a session is not accepted as a state, and the other way round", () => {
  const facts = { principal: personDigestOf(alice), client: "c", method: "tools/call", digest: digestOf([]) }
  const state = ["call", 1, facts.principal, facts.client, facts.method, facts.digest, 2]
  const session = ["s", "2025-11-25", 3, null, null, facts.principal, 2]
  const opens = (purpose: string) => [
    openState(tokens, tokens.seal(purpose, JSON.stringify(state)), facts, 1) !== undefined,
    openSession(tokens, tokens.seal(purpose, JSON.stringify(session)), facts.principal, 1) !== undefined,
  ]
  expect([opens("mcp state"), opens("mcp session"), opens("mcp")]).toEqual([
    [true, false],
    [false, true],
    [false, false],
  ])
})
