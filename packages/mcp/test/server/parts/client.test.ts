// The modes of a client, from its declared capabilities.

import type { Revision } from "@holdpoint/hub/forms"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { modesOf, revisionOf, toClient } from "../../../src/server/client.ts"

const both = { form: true, url: true }
const formOnly = { form: true, url: false }
const urlOnly = { form: false, url: true }
const none = { form: false, url: false }

describe("the modes of a client", () => {
  const declared = (elicitation: unknown) => ({ elicitation })
  verifies.each("mcp.declared-modes")<[string, unknown, Revision | undefined, typeof none]>([
    ["a bare {} is forms only", declared({}), "2026-07-28", formOnly],
    ["a bare {} is forms only", declared({}), "2025-11-25", formOnly],
    ["{ form } is forms only", declared({ form: {} }), "2025-11-25", formOnly],
    ["{ url } is links only", declared({ url: {} }), "2025-11-25", urlOnly],
    ["{ url } is links only", declared({ url: {} }), "2026-07-28", urlOnly],
    ["{ form, url } is both", declared({ form: {}, url: {} }), "2026-07-28", both],
    ["settings inside do not matter", declared({ form: { applyDefaults: true }, url: { x: 1 } }), "2025-11-25", both],
    ["2025-06-18 knows no links", declared({ url: {} }), "2025-06-18", formOnly],
    ["2025-06-18 knows no links", declared({ form: {}, url: {} }), "2025-06-18", formOnly],
    ["before that nothing is known", declared({ form: {}, url: {} }), undefined, none],
    ["nothing declared is nothing", {}, "2026-07-28", none],
    ["nothing declared is nothing", undefined, "2025-11-25", none],
    ["true is not a declaration", declared(true), "2025-11-25", none],
    ["null is not a declaration", declared(null), "2025-11-25", none],
    ["a list is not a declaration", declared([]), "2025-11-25", none],
    ["url: true does not declare it", declared({ url: true }), "2025-11-25", formOnly],
    ["url: null does not declare it", declared({ form: {}, url: null }), "2026-07-28", formOnly],
    ["what is inherited is not declared", Object.create({ elicitation: {} }), "2026-07-28", none],
  ])("%s: %j on %s", (_words, capabilities, revision, modes) => {
    expect(modesOf(capabilities, revision)).toEqual(modes)
  })
})

describe("the revision of a client", () => {
  it.each([
    ["2026-07-28", "2026-07-28"],
    ["2027-01-01", "2026-07-28"],
    ["2026-06-30", "2025-11-25"],
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["2025-09-01", "2025-06-18"],
    ["2025-03-26", undefined],
    ["2024-11-05", undefined],
    ["", undefined],
    [20_251_125, undefined],
    [undefined, undefined],
  ])("%j is %s", (version, revision) => {
    expect(revisionOf(version)).toBe(revision)
  })
})

describe("the server's override for a client", () => {
  const facts = {
    revision: "2025-11-25",
    modes: formOnly,
    info: { name: "Sly", version: "1" },
    isReachable: true,
  } as const

  verifies("mcp.overrides", "takes precedence over the client's declaration, mode by mode", () => {
    expect(toClient(facts, { Sly: { url: true } })).toMatchObject({ form: true, url: true, name: "Sly", version: "1" })
    expect(toClient(facts, { Sly: { form: false } })).toMatchObject({ form: false, url: false })
    expect(toClient(facts, { Sly: {} })).toMatchObject(formOnly)
  })

  verifies("mcp.overrides", "does not count for others", () => {
    expect(toClient(facts, { sly: { url: true }, Other: { url: true } })).toMatchObject(formOnly)
    expect(toClient({ ...facts, info: undefined }, { undefined: { url: true } })).toEqual({
      ...{ revision: "2025-11-25", isReachable: true },
      ...formOnly,
    })
  })

  it.each(["constructor", "__proto__", "toString", "hasOwnProperty"])(
    "does not exist for a client that calls itself %s",
    (name) => {
      expect(toClient({ ...facts, info: { name } }, {})).toMatchObject({ ...formOnly, name })
    },
  )

  it("takes no more of a name than fits on a page", () => {
    const info = { name: `  a\u0000b\u202e${"c".repeat(500)}`, version: 7 }
    const client = toClient({ ...facts, info }, {})
    expect(client.name).toBe(`ab${"c".repeat(98)}`)
    expect(client).not.toHaveProperty("version")
  })
})
