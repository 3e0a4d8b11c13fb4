// Addresses a question may carry, and those it may not.

import { verifies } from "@holdpoint/testkit/verifies"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { displayHost, maxUrlLength } from "../../src/core/url.ts"
import { checkUrl } from "../../src/secrets/rule.ts"

const id = "3f2b8c1e-9d47-4a6b-8f10-2c5e7a9b0d13"
const opaque = "Zk3xT9qLw2Vb7RnYc5Hd8Js1"
const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"

const good = [
  "https://example.org",
  "https://example.org/",
  "HTTPS://EXAMPLE.ORG/Path",
  `https://mcp.example.org/connect/${id}`,
  `https://mcp.example.org/connect?id=${id}`,
  "https://example.org:8443/a/b?c=d#e",
  "http://localhost/",
  "http://localhost:3000/connect",
  "http://hub.localhost:3000/",
  "http://127.0.0.1:8080/",
  "http://127.8.9.1/",
  "http://[::1]:3000/",
  "https://[2001:db8::1]/",
  "https://192.0.2.7/",
  "https://bücher.example/",
  "https://xn--bcher-kva.example/",
  "https://example.org/caf%C3%A9?q=a%20b",
  "https://example.org/日本",
  `https://idp.example/authorize?response_type=code&client_id=abc123&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&scope=openid%20email&state=${opaque}&nonce=${opaque}&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256`,
  `https://idp.example/authorize?client_id=x&request_uri=urn%3Aietf%3Aparams%3Aoauth%3Arequest_uri%3A${opaque}`,
  "https://idp.example/authorize?response_type=id_token%20token&client_id=x",
  "https://github.com/login/device?user_code=WDJB-MJHT",
  `https://cloud.example/index.php/login/v2/flow/${opaque}${opaque}`,
  "https://example.org/reset-password",
  "https://example.org/settings/tokens",
  "https://example.org/?token=",
  "https://example.org/?key=notes",
  "https://example.org/?code=SPRING",
  "https://example.org/?token_type=bearer",
  "https://example.org/?max_tokens=500",
  "https://unpkg.example/react@18.2.0/index.js",
  "https://social.example/@alice",
  "https://example.org/sk-ako-sa-pripojit-k-serveru",
  "https://example.org/basic-plan?sort_key=name",
  `https://example.org/${"a".repeat(1000)}`,
]

const bad = [
  "",
  "example.org",
  "//example.org/",
  "/connect",
  "https:",
  "https://",
  "https:example.org",
  "https:///example.org",
  "https://exa mple.org/",
  "https://example.org:99999/",
  "javascript:alert(1)",
  "JAVASCRIPT:alert(1)",
  "java\nscript:alert(1)",
  " https://example.org/",
  "https://example.org/\t",
  "https://example.org/\u202e",
  "https://example.org\\@evil.example/",
  "https://evil.example\\.example.org/",
  "data:text/html,hi",
  "file:///etc/passwd",
  "blob:https://example.org/1",
  "vbscript:x",
  "ftp://example.org/",
  "mailto:alice@example.org",
  "http://example.org/",
  "http://localhost.evil.com/",
  "http://127.0.0.1.evil.com/",
  "http://0.0.0.0/",
  "http://[::ffff:127.0.0.1]/",
  "https://[::ffff:192.0.2.7]/",
  "http://0x7f.1/",
  "http://2130706433/",
  "http://%6cocalhost/",
  "https://ｅxample.org/",
  "https://user@example.org/",
  "https://user:pass@example.org/",
  "https://@example.org/",
  "https://example.org/?email=alice@example.org",
  "https://example.org/?email=alice%40example.org",
  "https://example.org/?email=alice%2540example.org",
  "https://example.org/alice@example.org",
  "https://example.org/#alice@example.org",
  "https://example.org/?next=https%3A%2F%2Fapp.example%2F%3Faccess_token%3Dabc",
  "https://example.org/?password=x",
  "https://example.org/?access_token=abc",
  "https://example.org/#access_token=abc",
  "https://example.org/#/cb?access_token=abc",
  "https://example.org/?apiKey=abc",
  "https://example.org/?client_secret=abc",
  `https://example.org/?x=${jwt}`,
  `https://example.org/open/${jwt}`,
  "https://example.org/ghp_abcdefghijklmnopqrstuvwxyz0123456789",
  "https://example.org/?x=sk_live_abcdefghijklmnop1234",
  "https://example.org/?x=xoxb-123456789012-abcdef",
  "https://example.org/?x=AKIAIOSFODNN7EXAMPLE",
  "https://example.org/?x=ya29.abcdefghijklmnopqrstuvw",
  "https://example.org/?x=glpat-abcdefghijklmnopqrst",
  "https://example.org/?x=Bearer%20abcdef123456",
  `https://example.org/?code=${opaque}`,
  `https://example.org/?key=${opaque}`,
  `https://example.org/?session=${opaque}`,
  `https://bucket.example/file?X-Amz-Signature=${opaque}`,
  `https://example.org/reset/token/${opaque}`,
  `https://example.org/${"a".repeat(maxUrlLength)}`,
]

describe("checkUrl", () => {
  it.each(good)("allows %s", (url) => expect(checkUrl(url)).toMatchObject({ ok: true }))
  it.each(bad)("refuses %j", (url) => expect(checkUrl(url)).toMatchObject({ ok: false }))

  verifies(
    ["url.https-or-loopback", "url.no-disguise", "url.no-credentials"],
    "refuses every address of the table",
    () => {
      expect(bad.filter((url) => checkUrl(url).ok)).toEqual([])
      expect(bad.length).toBeGreaterThanOrEqual(30)
    },
  )

  it("returns the normal form and what to warn about", () => {
    expect(checkUrl("HTTPS://Bücher.Example")).toEqual({
      ok: true,
      url: "https://xn--bcher-kva.example/",
      flags: ["punycode"],
    })
    expect(checkUrl("http://127.0.0.1:3000")).toEqual({
      ok: true,
      url: "http://127.0.0.1:3000/",
      flags: ["loopback", "ip-address"],
    })
    expect(checkUrl("https://192.0.2.7/")).toMatchObject({ flags: ["ip-address"] })
    expect(checkUrl("https://example.org/")).toMatchObject({ flags: [] })
  })

  it("names the scheme it refuses", () => {
    expect(checkUrl("JavaScript:alert(1)")).toMatchObject({
      problems: [{ message: "javascript: addresses are not allowed." }],
    })
  })

  it("never repeats a credential in its result", () => {
    for (const url of bad) {
      const text = JSON.stringify(checkUrl(url))
      for (const part of [opaque, jwt, "ghp_abc", "alice"]) expect(text).not.toContain(part)
    }
  })

  it("returns a normal form that passes again unchanged, and never throws", () => {
    const path = fc.webUrl({ validSchemes: ["https", "http"], withFragments: true, withQueryParameters: true })
    fc.assert(
      fc.property(fc.oneof(path, fc.string({ unit: "binary" })), (value) => {
        const first = checkUrl(value)
        if (first.ok) expect(checkUrl(first.url)).toEqual(first)
      }),
    )
  })
})

verifies("url.shows-host", "displayHost shows the host with its port", () => {
  expect(displayHost("https://example.org/a")).toBe("example.org")
  expect(displayHost("http://[::1]:3000/")).toBe("[::1]:3000")
  expect(displayHost("nonsense")).toBe("")
})
