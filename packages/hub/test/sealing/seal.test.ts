// Sealing: a sealed value opens with its own binding, unaltered, and with no other binding.

import { createDecipheriv, randomBytes } from "node:crypto"
import { inspect } from "node:util"
import { verifies } from "@holdpoint/testkit/verifies"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { SealBinding, Sealed } from "../../src/core/sealed.ts"
import type { KeyRing } from "../../src/sealing/key-ring.ts"
import { withNewKey } from "../../src/sealing/key-ring.ts"
import { createSealer } from "../../src/sealing/seal.ts"

const binding: SealBinding = { tenant: "acme", owner: "alice", record: "r1" }
const secrets = { access_token: "canary-access-9f2", refresh_token: "canary-refresh-77a" }
const unreadable = expect.objectContaining({ name: "HoldpointError", code: "sealed_unreadable" })

const anyText = fc.string({ unit: "binary" })
const anyBinding = fc.record({ tenant: anyText, owner: anyText, record: anyText })
const anyFields = fc.dictionary(anyText, anyText, { maxKeys: 4 })
const ring = withNewKey()
const sealer = createSealer(ring)

describe("a sealer", () => {
  it("returns what was sealed, for any fields and any binding", () => {
    fc.assert(
      fc.property(anyBinding, anyFields, (where, fields) => {
        const sealed = JSON.parse(JSON.stringify(sealer.seal(where, fields)))
        expect(sealer.open(where, sealed)).toEqual(fields)
      }),
    )
  })

  verifies(
    "seal.opens-in-its-place",
    "does not open with any other binding, even if the parts join to the same text",
    () => {
      fc.assert(
        fc.property(anyBinding, anyBinding, anyFields, (where, elsewhere, fields) => {
          fc.pre(JSON.stringify(where) !== JSON.stringify(elsewhere))
          expect(() => sealer.open(elsewhere, sealer.seal(where, fields))).toThrow(unreadable)
        }),
      )
      const sealed = sealer.seal({ tenant: "a", owner: "bc", record: "d" }, secrets)
      expect(() => sealer.open({ tenant: "ab", owner: "c", record: "d" }, sealed)).toThrow(unreadable)
    },
  )

  verifies("seal.opens-in-its-place", "does not open anything with an altered character", () => {
    const whole = sealer.seal(binding, { token: "t" })
    for (const at of [...(whole.fields.token ?? "")].keys()) {
      const fields = { token: altered(whole.fields.token ?? "", at) }
      expect(() => sealer.open(binding, { ...whole, fields }), `field, character ${at}`).toThrow(unreadable)
    }
    const [start, last] = [whole.fields.token?.slice(0, -1), whole.fields.token?.at(-1)]
    for (const other of [...alphabet].filter((character) => character !== last)) {
      const fields = { token: `${start}${other}` }
      expect(() => sealer.open(binding, { ...whole, fields }), `field, ending in ${other}`).toThrow(unreadable)
    }
    for (const at of [...whole.wrapped].keys()) {
      const wrapped = altered(whole.wrapped, at)
      expect(() => sealer.open(binding, { ...whole, wrapped }), `key, character ${at}`).toThrow(unreadable)
    }
  })

  it.each<[string, (sealed: Sealed) => unknown]>([
    ["another tenant", (sealed) => sealer.open({ ...binding, tenant: "other" }, sealed)],
    ["another owner", (sealed) => sealer.open({ ...binding, owner: "mallory" }, sealed)],
    ["another record", (sealed) => sealer.open({ ...binding, record: "r2" }, sealed)],
    ["another generation", (sealed) => sealer.open(binding, { ...sealed, generation: sealed.generation + 1 })],
    [
      "swapped fields",
      (sealed) => {
        const { access_token = "", refresh_token = "" } = sealed.fields
        return sealer.open(binding, {
          ...sealed,
          fields: { access_token: refresh_token, refresh_token: access_token },
        })
      },
    ],
    [
      "a renamed field",
      (sealed) => sealer.open(binding, { ...sealed, fields: { other: sealed.fields.access_token! } }),
    ],
    [
      "a field of an earlier generation",
      (sealed) => {
        const later = sealer.seal(binding, secrets, sealed)
        return sealer.open(binding, { ...later, fields: { ...later.fields, ...sealed.fields } })
      },
    ],
    [
      "the key of another seal at the same place",
      (sealed) => sealer.open(binding, { ...sealed, wrapped: sealer.seal(binding, secrets).wrapped }),
    ],
    [
      "a field in place of the key",
      (sealed) => sealer.open(binding, { ...sealed, wrapped: sealed.fields.access_token! }),
    ],
    ["a truncated field", (sealed) => sealer.open(binding, { ...sealed, fields: { access_token: "hp1." } })],
    [
      "another format",
      (sealed) => sealer.open(binding, { ...sealed, wrapped: sealed.wrapped.replace("hp1.", "hp2.") }),
    ],
    ["a field of null", (sealed) => sealer.open(binding, { ...sealed, fields: { a: null as unknown as string } })],
    ["an added character", (sealed) => sealer.open(binding, { ...sealed, wrapped: `${sealed.wrapped}=` })],
    ["a key that is not in the ring", (sealed) => createSealer(withNewKey()).open(binding, sealed)],
    ["another key of the same id", (sealed) => createSealer(ringOf(sealed.keyId)).open(binding, sealed)],
    ["another key id", (sealed) => twoKeys().open(binding, { ...sealed, keyId: twoKeys().keyId })],
  ])("opens nothing with %s", (_what, attempt) => {
    expect(() => attempt(sealer.seal(binding, secrets))).toThrow(unreadable)
  })

  verifies("seal.tells-nothing", "reveals no secret when a value cannot be opened", () => {
    const sealed = sealer.seal(binding, secrets)
    const failures = [
      () => sealer.open({ ...binding, owner: "mallory" }, sealed),
      () => createSealer(withNewKey()).open(binding, sealed),
      () => sealer.seal(binding, secrets, { ...sealed, wrapped: "hp1.x" }),
    ].map((work) => {
      try {
        return void work()
      } catch (error) {
        return inspect(error, { depth: 10, showHidden: true })
      }
    })
    const key = Buffer.from(ring.keys.get(ring.current) ?? [])
    for (const words of failures) {
      expect(words).toContain("sealed_unreadable")
      for (const secret of [...Object.values(secrets), key.toString("base64url"), key.toString("hex")]) {
        expect(words).not.toContain(secret)
      }
    }
  })

  it("seals the same value differently each time, without readable text", () => {
    const [one, two] = [sealer.seal(binding, secrets), sealer.seal(binding, secrets)]
    expect(one.wrapped).not.toBe(two.wrapped)
    expect(one.fields.access_token).not.toBe(two.fields.access_token)
    expect(JSON.stringify([one, two])).not.toContain("canary")
  })

  it("raises the generation and keeps the data key when fields are replaced", () => {
    const first = sealer.seal(binding, secrets)
    const second = sealer.seal(binding, { access_token: "new" }, first)
    expect([first.generation, second.generation]).toEqual([1, 2])
    expect(second.wrapped).toBe(first.wrapped)
    expect(sealer.open(binding, second)).toEqual({ access_token: "new" })
  })

  it("rewraps the key and leaves the fields unchanged", () => {
    const rotated = withNewKey(ring)
    const after = createSealer(rotated)
    const old = sealer.seal(binding, secrets)
    const rewrapped = after.rewrap(binding, old)
    expect(rewrapped).toEqual({ ...old, keyId: rotated.current, wrapped: rewrapped.wrapped })
    const alone: KeyRing = { current: rotated.current, keys: new Map([...rotated.keys].slice(0, 1)) }
    expect(createSealer(alone).open(binding, rewrapped)).toEqual(secrets)
    expect(after.rewrap(binding, rewrapped)).toEqual(rewrapped)
    expect(after.seal(binding, secrets, old).keyId).toBe(rotated.current)
  })

  verifies(
    "seal.old-format-opens",
    "opens a value of the first format, whose parts plain AES-256-GCM opens too",
    () => {
      const key = Buffer.from(Array.from({ length: 32 }, (_, at) => at))
      const stored: Sealed = {
        keyId: "k1",
        wrapped: "hp1.Gw1lsNz6_IbPk8K84boTlG_cQMUoThZXyc_TLhF31AXKWcAMpmhXRK0HW-7-reUUFJF3Bknh8lwzBv3w",
        generation: 2,
        fields: { token: "hp1.KTPMglv7cLAn5ue2dzUGCAU_UxWmF5WwgF8AoR-5GQ" },
      }
      expect(createSealer({ current: "k1", keys: new Map([["k1", key]]) }).open(binding, stored)).toEqual({
        token: "t-2",
      })
      const dataKey = decrypted(key, [1, "acme", "alice", "r1", "k1"], stored.wrapped)
      const token = decrypted(dataKey, [1, "acme", "alice", "r1", "token", 2], stored.fields.token ?? "")
      expect([dataKey.length, token.toString()]).toEqual([32, "t-2"])
    },
  )

  it("seals with the current key of a ring that changes, and reads the ring again for an unknown key", () => {
    let held = ring
    const following = createSealer(() => held)
    const old = following.seal(binding, secrets)
    held = withNewKey(ring)
    const others = createSealer(held).seal(binding, secrets)
    expect(following.open(binding, others)).toEqual(secrets)
    expect(following.keyId).toBe(held.current)
    expect(following.seal(binding, secrets, old).keyId).toBe(held.current)
  })
})

function decrypted(key: Buffer, binding: readonly unknown[], text: string): Buffer {
  const bytes = Buffer.from(text.slice("hp1.".length), "base64url")
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12))
  decipher.setAAD(Buffer.from(JSON.stringify(binding))).setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()])
}

/** With the characters that a lenient decoder takes for others. */
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= "

/** With another character in this place. */
function altered(text: string, at: number): string {
  const other = text[at] === "A" ? "B" : "A"
  return text.slice(0, at) + other + text.slice(at + 1)
}

const ringOf = (id: string): KeyRing => ({ current: id, keys: new Map([[id, randomBytes(32)]]) })
const both = withNewKey(ring)
const twoKeys = () => createSealer(both)
