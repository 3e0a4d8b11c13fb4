// Which questions may be asked, and of which people.

import { alice, asked, bob, carol, formDraft, mallory, now, urlDraft } from "@holdpoint/testkit/fixtures"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import type { HoldpointError } from "../../src/core/error.ts"
import { errorCodes, isHoldpointError } from "../../src/core/error.ts"
import { email, form, text } from "../../src/core/form.ts"
import { defaultLimits } from "../../src/core/limits.ts"
import type { Audience } from "../../src/core/principal.ts"
import { addresseeKeysOf, canAnswer, isSamePerson, keysOfPrincipal } from "../../src/core/principal.ts"
import type { Draft } from "../../src/core/question.ts"
import { isSameQuestion, toElicitation, uniqueKeyOf } from "../../src/core/question.ts"
import { secretRule } from "../../src/secrets/rule.ts"

function problemsOf(draft: Draft): { code: string; paths: readonly string[] } {
  try {
    asked(draft)
  } catch (error) {
    if (isHoldpointError(error)) return { code: error.code, paths: error.problems.map(({ path }) => path) }
    throw error
  }
  throw new Error("was not refused")
}

const draft = (changes: Partial<Draft> | Record<string, unknown>): Draft => ({ ...formDraft, ...changes }) as Draft

describe("a question", () => {
  const refusals: readonly [string, Draft, string, readonly string[]][] = [
    ["without form or url", draft({ form: undefined }), "invalid_question", [""]],
    ["with form and url", draft({ url: "https://x.example/" }), "invalid_question", [""]],
    ["with an empty message", draft({ message: "  " }), "invalid_question", ["message"]],
    ["with NUL in the message", draft({ message: "a\0b" }), "invalid_question", ["message"]],
    ["with an escape sequence in the message", draft({ message: "a\u001b[2Jb" }), "invalid_question", ["message"]],
    ["with half a surrogate pair", draft({ message: "a\ud800b" }), "invalid_question", ["message"]],
    ["without a requester", draft({ requester: undefined }), "invalid_question", ["requester.id"]],
    ["without an audience", draft({ audience: undefined }), "invalid_question", ["audience"]],
    [
      "without an addressee",
      draft({ audience: { kind: "any", principals: [] } }),
      "invalid_question",
      ["audience.principals"],
    ],
    ["to a person without subject", draft({ audience: { ...alice, subject: "" } }), "invalid_question", ["audience"]],
    [
      "with control characters in its context",
      draft({ context: { trigger: "shell", a: "\u0007" } }),
      "invalid_question",
      ["context.a"],
    ],
    [
      "with a context that is nested very deep",
      draft({ context: { trigger: "shell", a: JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`) } }),
      "invalid_question",
      ["context.a"],
    ],
    ["with an empty key", draft({ key: "" }), "invalid_question", ["key"]],
    [
      "whose form is nested",
      draft({ form: { type: "object", properties: { a: { type: "object" } } } }),
      "invalid_question",
      ["properties.a"],
    ],
  ]
  for (const [what, bad, code, paths] of refusals) {
    verifies(
      "core.question-checked-when-asked",
      `${what} is refused when it is asked, with the path of the problem`,
      () => {
        expect(problemsOf(bad)).toEqual({ code, paths })
      },
    )
  }

  verifies("core.question-checked-when-asked", "with several problems is refused with all of them listed", () => {
    const { paths } = problemsOf(draft({ message: "", requester: { id: "" }, lifetimeMs: 1, key: "" }))
    expect(paths).toEqual(["message", "requester.id", "key", "lifetimeMs"])
  })

  verifies(
    "limit.message-and-lifetime",
    "may live from one second to seven days, with a message of up to 4,000 characters",
    () => {
      const week = 7 * 24 * 60 * 60 * 1_000
      for (const lifetimeMs of [999, week + 1, 1_000.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        expect(problemsOf(draft({ lifetimeMs })).paths).toEqual(["lifetimeMs"])
      }
      for (const lifetimeMs of [1_000, week]) expect(asked(draft({ lifetimeMs })).expiresAt).toBe(now + lifetimeMs)
      expect(problemsOf(draft({ message: "x".repeat(4_001) })).paths).toEqual(["message"])
      expect(asked(draft({ message: "𝕏".repeat(4_000) })).message).toHaveLength(8_000)
      const limits = { ...defaultLimits, messageLength: 5 }
      expect(() => toElicitation(formDraft, { id: "x", now, limits, secrets: secretRule })).toThrow(
        /at most 5 characters/,
      )
    },
  )

  verifies(
    ["secret.refused-in-fields", "secret.refused-in-message"],
    "that asks for a secret is pointed to url mode",
    () => {
      const fields = draft({ form: form({ api_key: text() }) })
      expect(problemsOf(fields)).toEqual({ code: "secret_in_form", paths: ["properties.api_key"] })
      expect(problemsOf(draft({ message: "Please enter your password" })).code).toBe("secret_in_form")
      expect(() => asked(fields)).toThrow(/url mode/i)
      expect(asked(draft({ form: form({ mail: email() }) })).mode).toBe("form")
    },
  )

  it("shares one frozen form with all questions from its source, so the search for secrets runs once", () => {
    const [one, two] = [asked(formDraft), asked({ ...formDraft, message: "And this one?" })]
    const [first, second] = [one, two].map((question) => question.mode === "form" && question.requestedSchema)
    expect(second).toBe(first)
    const { properties } = first as { properties: Record<string, object> }
    expect([first, properties, ...Object.values(properties)].every(Object.isFrozen)).toBe(true)
  })

  verifies("url.https-or-loopback", "whose address is unsafe is refused", () => {
    expect(problemsOf(draft({ form: undefined, url: "http://example.org/" })).code).toBe("unsafe_url")
    expect(problemsOf(draft({ form: undefined, url: "javascript:alert(1)" })).code).toBe("unsafe_url")
  })

  verifies("url.no-credentials", "whose address carries a credential or personal data is refused", () => {
    const [url, address] = ["https://example.org/page", "https://example.org/?access_token=abc"]
    const context = { trigger: "approval", address }
    for (const asking of [
      { url: address },
      { url: `${url}/ana@example.org` },
      { url: () => address },
      { url, context },
    ])
      expect(problemsOf(draft({ form: undefined, ...asking }))).toEqual({ code: "unsafe_url", paths: ["url"] })
    expect(asked(draft({ form: undefined, url })).mode).toBe("url")
  })

  verifies(
    "audience.account-has-one-owner",
    "about a person's account is addressed only to that person, about a project's also to a role",
    () => {
      const role: Audience = { kind: "role", tenant: "acme", role: "manager" }
      const several: Audience = { kind: "any", principals: [alice, bob] }
      for (const audience of [role, several]) expect(problemsOf({ ...urlDraft, audience }).paths).toEqual(["audience"])
      const ofProject = { ...urlDraft, context: { ...urlDraft.context, owner: "project" }, audience: role }
      expect(asked(ofProject).audience).toEqual(role)
      expect(asked(urlDraft).audience).toEqual({ kind: "one", principal: { ...alice } })
    },
  )

  verifies("audience.one-tenant", "never spans tenants", () => {
    const audience: Audience = { kind: "any", principals: [alice, mallory] }
    expect(problemsOf(draft({ audience })).paths).toEqual(["audience.principals"])
  })

  it("does not store the roles of the person that it is addressed to", () => {
    expect(asked(draft({ audience: carol })).audience).toEqual({
      kind: "one",
      principal: { ...alice, subject: "carol" },
    })
  })

  verifies("hub.key-conflict", "equals another when mode, message, audience and form or address are equal", () => {
    const made = (changes: object, id = "a-1") =>
      toElicitation(draft(changes), { id, now, limits: defaultLimits, secrets: secretRule })
    expect(isSameQuestion(made({}), made({ lifetimeMs: 5_000, parent: "call 2" }, "b-2"))).toBe(true)
    const linked = (id: string) => toElicitation(urlDraft, { id, now, limits: defaultLimits, secrets: secretRule })
    expect(isSameQuestion(linked("a-1"), linked("b-2"))).toBe(true)
    for (const changes of [{ message: "Other?" }, { audience: bob }, { form: form({ mail: email() }) }]) {
      expect(isSameQuestion(made({}), made(changes))).toBe(false)
    }
  })

  it("claims its key within its tenant and asker only", () => {
    const claim = (changes: object) => uniqueKeyOf(asked(draft({ key: "k", ...changes })))
    expect(claim({})).toBe(claim({ message: "Other?" }))
    expect(claim({ requester: { id: "other" } })).not.toBe(claim({}))
    expect(claim({ audience: mallory })).not.toBe(claim({}))
    expect(uniqueKeyOf(asked())).toBeUndefined()
  })
})

describe("an audience", () => {
  const one: Audience = { kind: "one", principal: alice }
  const any: Audience = { kind: "any", principals: [alice, bob, alice] }
  const role: Audience = { kind: "role", tenant: "acme", role: "manager" }
  const foreignManager = { ...mallory, roles: ["manager"] }

  verifies("audience.one-several-or-role", "includes one person, any of several, or any holder of the role", () => {
    const table = [one, any, role].map((audience) =>
      [alice, bob, carol, mallory, foreignManager].map((person) => canAnswer({ audience }, person)),
    )
    expect(table).toEqual([
      [true, false, false, false, false],
      [true, true, false, false, false],
      [false, false, true, false, false],
    ])
  })

  verifies("audience.identity-is-three-parts", "distinguishes people by tenant, issuer and subject", () => {
    expect(isSamePerson(alice, { ...alice, roles: ["x"] } as typeof alice)).toBe(true)
    expect(isSamePerson(alice, mallory)).toBe(false)
    expect(isSamePerson(alice, { ...alice, issuer: "https://other.example" })).toBe(false)
    // Parts that run together when joined must not make one person of two.
    const tricky = { tenant: "t", issuer: 'a","b', subject: "c" }
    expect(addresseeKeysOf({ kind: "one", principal: tricky })).not.toEqual(
      addresseeKeysOf({ kind: "one", principal: { tenant: "t", issuer: "a", subject: 'b","c' } }),
    )
  })

  it("is indexed under the keys that look up its people", () => {
    for (const [audience, person] of [
      [one, alice],
      [any, bob],
      [role, carol],
    ] as const) {
      expect(addresseeKeysOf(audience).some((key) => keysOfPrincipal(person).includes(key))).toBe(true)
    }
    expect(addresseeKeysOf(any)).toHaveLength(2)
    // A role called like a person must not be indexed as that person.
    const roleNamed = addresseeKeysOf({ kind: "role", tenant: "acme", role: addresseeKeysOf(one)[0] as string })
    expect(roleNamed).not.toEqual(addresseeKeysOf(one))
  })
})

describe("an error", () => {
  verifies("core.error-codes-have-meanings", "has an HTTP status, a JSON-RPC code and an A2A code", () => {
    for (const [code, { http, jsonRpc, a2a, retryable }] of Object.entries(errorCodes)) {
      expect(http, code).toBeGreaterThanOrEqual(400)
      expect(jsonRpc, code).toBeLessThan(-32_000)
      expect(a2a, code).toBeLessThanOrEqual(-32_001)
      expect(typeof retryable, code).toBe("boolean")
    }
  })

  it("is recognized without instanceof", () => {
    const copy = Object.assign(new Error("x"), { name: "HoldpointError", code: "expired", problems: [] })
    expect(isHoldpointError(copy)).toBe(true)
    expect((copy as unknown as HoldpointError).code).toBe("expired")
    expect(isHoldpointError(new Error("x"))).toBe(false)
  })
})
