// The challenge of a 401, as servers write it, and as they should not.

import { describe, expect, it } from "vitest"
import { readChallenge } from "../../src/oauth/challenge.ts"

const metadata = "https://mcp.example/.well-known/oauth-protected-resource"

describe("a challenge", () => {
  it.each([
    [`Bearer resource_metadata="${metadata}"`, { metadata }],
    [`bearer error="invalid_token", resource_metadata="${metadata}", scope="a b"`, { metadata, scopes: ["a", "b"] }],
    [`Basic realm="x", Bearer scope=a , resource_metadata = "${metadata}"`, { metadata, scopes: ["a"] }],
    [String.raw`Bearer realm="a \"quoted\", resource_metadata=no", scope="a"`, { scopes: ["a"] }],
    [`Basic resource_metadata="${metadata}"`, {}],
    [`Bearer scope="a", scope="b"`, { scopes: ["a"] }],
    ["Bearer", {}],
    ["", {}],
    [`Bearer scope="${"a ".repeat(10_000)}`, {}],
  ])("%s is read", (header, expected) => {
    expect(readChallenge(header)).toEqual(expected)
  })
})
