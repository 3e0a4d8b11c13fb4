// Tokens that clients carry open only for their owner, and not when altered.

import type { Principal } from "@holdpoint/hub"
import { createTokens, withNewKey, withoutKeys } from "@holdpoint/hub/sealing"
import { alice, bob, mallory } from "@holdpoint/testkit/fixtures"
import { verifies } from "@holdpoint/testkit/verifies"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { digestOf, personDigestOf } from "../../../../calls/src/digest.ts"
import type { Session, State } from "../../../src/server/state.ts"
import { openSession, openState, sealSession, sealState } from "../../../src/server/state.ts"

const now = Date.UTC(2026, 0, 1)
const ring = withNewKey()
const tokens = createTokens(ring)
const facts = {
  principal: personDigestOf(alice),
  client: "a-client",
  method: "tools/call",
  digest: digestOf(["tools/call", "pay", { id: 7 }]),
}
const state: State = { ...facts, call: "7b9c1f1e-6f0b-4a6e-9b1f-0f6f3f3f3f3f", round: 3, expiresAt: now + 1_000 }
const session: Session = {
  ...{ id: "s", revision: "2025-11-25", modes: { form: true, url: false }, name: "Sly", version: "1" },
  ...{ principal: personDigestOf(alice), expiresAt: now + 1_000 },
} as const

/** Every text that differs from the given one in one valid character. */
function* altered(text: string): Generator<string> {
  for (let at = 0; at < text.length; at++)
    for (const other of ["A", "z", "0", "-", "_", "~", ".", "="])
      if (other !== text[at]) yield text.slice(0, at) + other + text.slice(at + 1)
}

describe("the state of a call", () => {
  const text = sealState(tokens, state)

  it("opens for the caller and the call that it was sealed for, until it expires", () => {
    expect(openState(tokens, text, facts, now)).toEqual(state)
    expect(openState(tokens, text, facts, now + 999)).toEqual(state)
    expect(openState(tokens, text, facts, now + 1_000)).toBeUndefined()
  })

  verifies.each("mcp.state-of-one-call")([
    ["principal", personDigestOf(bob)],
    ["principal", personDigestOf(mallory)],
    ["principal", "anonymous"],
    ["client", "another-client"],
    ["client", ""],
    ["method", "prompts/get"],
    ["digest", digestOf(["tools/call", "pay", { id: 8 }])],
    ["digest", digestOf(["tools/call", "pay", { id: "7" }])],
  ])("is refused for another %s", (name, value) => {
    expect(openState(tokens, text, { ...facts, [name]: value }, now)).toBeUndefined()
  })

  verifies(
    "mcp.state-sealed",
    "is refused when any one of its characters was changed, and when one is missing or added",
    () => {
      for (const other of altered(text)) expect(openState(tokens, other, facts, now)).toBeUndefined()
      for (let at = 0; at < text.length; at++)
        expect(openState(tokens, text.slice(0, at) + text.slice(at + 1), facts, now)).toBeUndefined()
      for (const other of [`${text}A`, `A${text}`, ` ${text}`, `${text}\n`])
        expect(openState(tokens, other, facts, now)).toBeUndefined()
    },
  )

  it("is refused when it is not a text, or longer than any issued one", () => {
    for (const other of [undefined, null, 7, {}, [text], "", "x".repeat(4_097), `${text}${"A".repeat(5_000)}`])
      expect(openState(tokens, other, facts, now)).toBeUndefined()
    fc.assert(fc.property(fc.string(), (any) => void expect(openState(tokens, any, facts, now)).toBeUndefined()))
  })

  verifies("mcp.state-sealed", "is refused without being opened when it is longer than any issued one", () => {
    const curious = { seal: tokens.seal, open: () => expect.unreachable("it was opened") }
    expect(openState(curious, "x".repeat(4_097), facts, now)).toBeUndefined()
  })

  verifies("mcp.state-sealed", "stays well under the limit, whatever the client is called", () => {
    const client = "https://client.example/".padEnd(2_048, "x")
    const long = sealState(tokens, { ...state, client })
    expect(long.length).toBeLessThan(4_096)
    expect(openState(tokens, long, { ...facts, client }, now)?.call).toBe(state.call)
  })

  verifies("mcp.state-sealed", "reveals nothing of its content", () => {
    const [, sealed = ""] = text.split("~")
    const seen = Buffer.from(sealed, "base64url").toString("latin1")
    for (const part of [state.call, "a-client", "tools/call", facts.digest]) expect(seen + text).not.toContain(part)
    expect(sealState(tokens, state)).not.toBe(text)
  })

  it("is not accepted as a session, and a session is not accepted as a state", () => {
    // In a state, the digest has the position that the person has in a session.
    for (const person of [facts.principal, facts.digest]) expect(openSession(tokens, text, person, now)).toBeUndefined()
    expect(openState(tokens, sealSession(tokens, session), facts, now)).toBeUndefined()
  })

  verifies("mcp.state-sealed", "opens after the keys were rotated, and not after its key is gone", () => {
    const next = withNewKey(ring)
    expect(openState(createTokens(next), text, facts, now)).toEqual(state)
    const without = withoutKeys(next, [ring.current])
    expect(openState(createTokens(without), text, facts, now)).toBeUndefined()
    expect(openState(createTokens(withNewKey()), text, facts, now)).toBeUndefined()
  })
})

describe("the id of a session", () => {
  const text = sealSession(tokens, session)

  it("opens only for its owner, and contains the client's declaration", () => {
    expect(openSession(tokens, text, personDigestOf(alice), now)).toEqual(session)
    expect(openSession(tokens, text, personDigestOf(bob), now)).toBeUndefined()
    expect(openSession(tokens, text, "anonymous", now)).toBeUndefined()
    expect(openSession(tokens, text, personDigestOf(alice), now + 1_000)).toBeUndefined()
    for (const other of altered(text)) expect(openSession(tokens, other, personDigestOf(alice), now)).toBeUndefined()
  })

  it("keeps every combination of modes and revisions", () => {
    for (const revision of ["2025-06-18", "2025-11-25", undefined] as const)
      for (const form of [true, false])
        for (const url of [true, false]) {
          const one: Session = { id: "s", revision, modes: { form, url }, principal: "p", expiresAt: now + 1 }
          expect(openSession(tokens, sealSession(tokens, one), "p", now)).toEqual(one)
        }
  })

  it("consists of visible characters, as a header has to", () => {
    expect(text).toMatch(/^[\x21-\x7e]+$/)
  })
})

describe("the digest of a value", () => {
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled)
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, member]) => [name, shuffled(member)]),
    )
  }

  it("does not depend on the order of members", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void expect(digestOf(shuffled(value))).toBe(digestOf(value))))
  })

  it("is the same after the value went over the wire", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        (value) => void expect(digestOf(JSON.parse(JSON.stringify(value)))).toBe(digestOf(value)),
      ),
    )
  })

  it("differs for values that differ", () => {
    const canonical = (value: unknown): string => JSON.stringify(inOrder(value))
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        expect(digestOf(a) === digestOf(b)).toBe(canonical(a) === canonical(b))
      }),
    )
    const pairs = [
      [1, "1"],
      [null, "null"],
      [[], {}],
      [
        [1, 2],
        [2, 1],
      ],
      [["a,b"], ["a", "b"]],
      [{ a: 1 }, { a: "1" }],
      [{ a: { b: 1 } }, { "a.b": 1 }],
      [{ a: [] }, { a: null }],
      [{ "": 1 }, {}],
      ["\u00e9", "e\u0301"],
    ]
    for (const [a, b] of pairs) expect(digestOf(a)).not.toBe(digestOf(b))
  })

  it("keeps the parts of a person apart", () => {
    expect(personDigestOf({ tenant: "a", issuer: "b", subject: "c" })).not.toBe(
      personDigestOf({ tenant: "ab", issuer: "", subject: "c" }),
    )
    const promoted: Principal = { ...alice, roles: ["manager"] }
    expect(personDigestOf(alice)).toBe(personDigestOf(promoted))
    expect(new Set([alice, bob, mallory].map(personDigestOf)).size).toBe(3)
  })
})

/** The value with members sorted by name at every level, and objects distinguished from lists. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return ["list", ...value.map(inOrder)]
  if (typeof value !== "object" || value === null) return value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return ["members", ...members.map(([name, member]) => [name, inOrder(member)])]
}
