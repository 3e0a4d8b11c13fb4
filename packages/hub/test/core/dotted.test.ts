// Reading foreign JSON by dotted paths.

import { describe, expect, it } from "vitest"
import { nameFrom, readPath } from "../../src/core/dotted-path.ts"

describe("a path", () => {
  const value = { id: 7, user: { name: "Alice", empty: "", none: null, yes: true }, list: [{ id: "a" }], "a.b": "c" }

  it.each([
    ["id", 7],
    ["user.name", "Alice"],
    ["list.0.id", "a"],
    ["user", undefined],
    ["user.empty", undefined],
    ["user.none", undefined],
    ["user.yes", undefined],
    ["user.name.length", undefined],
    ["list.length.x", undefined],
    ["missing.name", undefined],
    ["__proto__.constructor.name", undefined],
    ["constructor.name", undefined],
    ["", undefined],
  ])("%j leads to %j", (path, expected) => {
    expect(readPath(value, path)).toBe(expected)
  })

  it("does not reach inherited properties", () => {
    expect(readPath(Object.create({ name: "Mallory" }), "name")).toBeUndefined()
  })

  it("finds nothing in a value that is not an object", () => {
    for (const nothing of [undefined, null, "text", 1]) expect(readPath(nothing, "length")).toBeUndefined()
  })
})

describe("a name", () => {
  it("is the first value that is not empty", () => {
    expect(nameFrom({ login: "alice", name: "" }, ["name", "login"])).toBe("alice")
    expect(nameFrom({ id: 7 }, ["name", "id"])).toBe("7")
    expect(nameFrom({ name: " \n " }, ["name"])).toBeUndefined()
    expect(nameFrom(undefined, ["name"])).toBeUndefined()
  })

  it("is one line without control characters, and keeps joined letters intact", () => {
    expect(nameFrom({ name: "a\u0000\u001b[31m\nb\u202ec" }, ["name"])).toBe("a [31m b c")
    expect(nameFrom({ name: "👩‍💻 نام‌ها" }, ["name"])).toBe("👩‍💻 نام‌ها")
    expect([...(nameFrom({ name: "😀".repeat(300) }, ["name"]) ?? "")]).toHaveLength(200)
  })
})
