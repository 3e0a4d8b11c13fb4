// What an author can change about the rule, and what an author cannot change.

import { formDraft } from "@holdpoint/testkit/fixtures"
import { setUp } from "@holdpoint/testkit/hub/hub/setup"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { form, text } from "../../src/core/form.ts"
import { createSecretRule } from "../../src/secrets/rule.ts"

const asks = (rule: ReturnType<typeof createSecretRule>, name: string, field: object = { type: "string" }): boolean =>
  rule.inForm({ properties: { [name]: field } }).length > 0

describe("the secret words of an author", () => {
  const rule = createSecretRule({ words: ["Losung", "gate number", "C++ (beta)"] })

  it.each(["losung", "Ihre Losung", "Tageslosung", "gateNumber", "my_gate_number", "password"])(
    "make a field called %s a secret",
    (name) => expect(asks(rule, name)).toBe(true),
  )

  it.each(["losung_policy", "Losungslänge", "number", "gate"])("do not make a field called %s a secret", (name) =>
    expect(asks(rule, name)).toBe(false),
  )

  it("apply to messages and to names of parameters, and to no other rule", () => {
    expect(rule.inMessage("Bitte gib deine Losung ein")).toMatchObject([{ path: "message" }])
    expect(rule.inAddress("https://example.org/?losung=x")).toHaveLength(1)
    expect(asks(createSecretRule(), "losung")).toBe(false)
  })
})

describe("a field that is allowed", () => {
  const allow = { pin: "The position of a pin on the board" }

  verifies("secret.allowed-by-name", "passes only by its exact name", () => {
    const rule = createSecretRule({ allow })
    expect(asks(rule, "pin")).toBe(false)
    for (const name of ["PIN", "card_pin", "password"]) expect(asks(rule, name)).toBe(true)
    expect(asks(rule, "pin", { type: "string", format: "password" })).toBe(true)
    expect(rule.inMessage("Enter your PIN")).toHaveLength(1)
  })

  verifies("secret.allowed-by-name", "is recorded in the trail of the question, with the reason", async () => {
    const { hub, trailOf } = setUp({ secrets: { allow } })
    const asked = await hub.ask({ ...formDraft, form: form({ pin: text(), colour: text() }) })
    expect((await trailOf(asked.id))[0]?.detail.allowed).toEqual(allow)
    const other = await hub.ask(formDraft)
    expect((await trailOf(other.id))[0]?.detail).not.toHaveProperty("allowed")
  })

  it("is refused by a hub that does not allow it", async () => {
    await expect(setUp().hub.ask({ ...formDraft, form: form({ pin: text() }) })).rejects.toMatchObject({
      code: "secret_in_form",
    })
  })
})

describe("options", () => {
  it.each([
    ["no reason", { allow: { pin: "" } }],
    ["a reason of one word", { allow: { pin: "ok" } }],
    ["a word of one letter", { words: ["a"] }],
    ["an empty word", { words: [""] }],
    ["a switch to turn the rule off", { enabled: false }],
  ])("with %s are refused", (_what, options) => {
    expect(() => createSecretRule(options as object)).toThrow(expect.objectContaining({ code: "invalid_config" }))
  })

  it("do not treat an allowed name as a pattern", () => {
    expect(asks(createSecretRule({ allow: { "*": "every field of this form" } }), "password")).toBe(true)
  })
})
