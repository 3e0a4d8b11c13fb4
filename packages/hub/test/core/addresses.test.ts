// What links look like, with and without the key and code of local mode.

import { describe, expect, it } from "vitest"
import { createAddresses, paths, pathTo, signInTo } from "../../src/core/addresses.ts"

describe("a path", () => {
  it("has its parameter filled in", () => {
    expect(pathTo(paths.connectStatus, "id-1")).toBe("/connect/id-1/status")
    expect(pathTo(paths.inbox)).toBe("/inbox")
  })

  it("percent-encodes its parameter, so that it cannot lead to another page", () => {
    expect(pathTo(paths.connect, "../account?x#$&")).toBe("/connect/..%2Faccount%3Fx%23%24%26")
  })

  it("to the sign-in page names the page to return to and the problem", () => {
    expect(signInTo("connect:id-1")).toBe("/signin?to=connect%3Aid-1")
    expect(signInTo(undefined, { choose: true })).toBe("/signin?choose")
    expect(signInTo("inbox", { choose: true, problem: "denied" })).toBe("/signin?choose&problem=denied&to=inbox")
  })
})

describe("an address", () => {
  it("begins with the public address, with or without trailing slashes", () => {
    for (const at of ["https://hub.example", "https://hub.example/", "https://hub.example//"])
      expect(createAddresses(at).to(paths.question, "id-1")).toBe("https://hub.example/inbox/id-1")
    expect(createAddresses("https://hub.example/holdpoint/").to(paths.inbox)).toBe(
      "https://hub.example/holdpoint/inbox",
    )
  })

  it("is ours only if it is below the public address", () => {
    const { isOurs } = createAddresses("https://hub.example")
    expect(["https://hub.example/visit/1", "https://hub.example.evil/", "http://hub.example/"].map(isOurs)).toEqual([
      true,
      false,
      false,
    ])
  })

  it.each(["hub.example", "ftp://hub.example", "https://hub.example/?a", "https://hub.example/#a"])(
    "cannot be made from %s",
    (at) => {
      expect(() => createAddresses(at)).toThrow("public address")
    },
  )

  it("has a key and a code in local mode only", () => {
    const marks = { keyOf: (page: string) => `key-of-${page}`, codeOf: (page: string) => `code-of-${page}` }
    const local = createAddresses("http://127.0.0.1:4650", marks)
    expect(local.home(paths.account)).toBe("http://127.0.0.1:4650/account?key=key-of-home")
    expect([local.codeOf(), local.codeOf("id-1")]).toEqual(["code-of-home", "code-of-id-1"])
    const shared = createAddresses("https://hub.example")
    expect([shared.home(paths.inbox), shared.codeOf("id-1")]).toEqual(["https://hub.example/inbox", undefined])
  })
})
