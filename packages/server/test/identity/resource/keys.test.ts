// Which keys count, and how often an issuer is asked for them.

import { verifies } from "@holdpoint/testkit/verifies"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { createCached } from "../../../src/identity/resource/cached.ts"
import { refusals } from "../../../src/identity/resource/refusals.ts"
import type { TestIssuer } from "./setup.ts"
import { byJwt, claimsOf, createWorld, newKey, paths, signToken, start, startIssuer } from "./setup.ts"

const signature = `401 invalid_token: ${refusals.signature}`
const minute = 60_000
let corp: TestIssuer
beforeEach(async () => {
  corp = await startIssuer()
})
afterEach(() => corp.close())

describe("keys of an issuer", () => {
  verifies("caller.keys-of-the-issuer", "are discovered and fetched once for many concurrent calls", async () => {
    const { outcomeOf } = createWorld([byJwt(corp)])
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, at) => corp.sign({ jti: String(at) })))
    expect(new Set(await Promise.all(tokens.map(outcomeOf)))).toEqual(new Set(["ok"]))
    expect(corp.asked).toEqual([paths.oauth, paths.keys])
  })

  verifies("caller.keys-of-the-issuer", "are fetched only once more for a burst of unknown key ids", async () => {
    const { outcomeOf, clock } = createWorld([byJwt(corp)])
    expect(await outcomeOf(await corp.sign())).toBe("ok")
    const storm = async (): Promise<void> => {
      const tokens = await Promise.all(Array.from({ length: 50 }, (_, at) => corp.sign({}, { kid: `unknown ${at}` })))
      expect(new Set(await Promise.all(tokens.map(outcomeOf)))).toEqual(new Set([signature]))
    }
    await storm()
    await storm()
    expect(corp.count(paths.keys)).toBe(2)
    clock.set(start + 31_000)
    await storm()
    expect(corp.count(paths.keys)).toBe(3)
  })

  verifies("caller.keys-of-the-issuer", "are updated when they change, and dropped when they are removed", async () => {
    const { outcomeOf, clock } = createWorld([byJwt(corp)])
    const old = await corp.sign()
    expect(await outcomeOf(old)).toBe("ok")
    const next = await newKey("second")
    corp.keys = [next.jwk]
    expect(await outcomeOf(await corp.sign({}, {}, next))).toBe("ok")
    expect(await outcomeOf(old)).toBe(signature)
    corp.keys = []
    clock.set(start + 11 * minute)
    expect(await outcomeOf(await corp.sign({}, {}, next))).toBe(signature)
  })

  verifies("caller.keys-of-the-issuer", "are fetched from the configured address, without discovery", async () => {
    const verify = { by: "jwt", jwksUri: `${corp.issuer}${paths.keys}` } as const
    expect(await createWorld([byJwt(corp, { verify })]).outcomeOf(await corp.sign())).toBe("ok")
    expect(corp.asked).toEqual([paths.keys])
  })

  verifies("caller.keys-of-the-issuer", "of this process need no request, and are read once", async () => {
    let reads = 0
    const set = {
      get keys() {
        reads += 1
        return [corp.signing.jwk]
      },
    }
    const { outcomeOf } = createWorld([byJwt(corp, { verify: { by: "keys", keys: () => set } })])
    expect(await outcomeOf(await corp.sign())).toBe("ok")
    const before = reads
    expect(await outcomeOf(await corp.sign())).toBe("ok")
    expect(await outcomeOf(await corp.sign({}, { kid: "unknown" }))).toBe(signature)
    expect(reads).toBe(before)
    expect(corp.asked).toEqual([])
  })

  it("are not tried one after another when several could match", async () => {
    corp.keys = [corp.signing.jwk, (await newKey("second")).jwk]
    expect(await createWorld([byJwt(corp)]).outcomeOf(await corp.sign({}, { kid: undefined }))).toBe(signature)
  })

  it("that are not signing keys are not used", async () => {
    corp.keys = [{ ...corp.signing.jwk, use: "enc" }]
    expect(await createWorld([byJwt(corp)]).outcomeOf(await corp.sign())).toBe(signature)
  })
})

describe("metadata of an issuer", () => {
  verifies("caller.keys-of-the-issuer", "is read from OpenID Connect discovery if there is no other", async () => {
    corp.broken.set(paths.oauth, 404)
    expect(await createWorld([byJwt(corp)]).outcomeOf(await corp.sign())).toBe("ok")
    expect(corp.asked).toEqual([paths.oauth, paths.oidc, paths.keys])
  })

  it.each([
    ["names another issuer", { issuer: "https://evil.example" }],
    ["names the issuer with an extra slash", { issuer: "slash" }],
    ["has no keys", { jwks_uri: undefined }],
    ["names keys over http on another host", { jwks_uri: "http://evil.example/keys" }],
    ["leads to keys that are a file", { jwks_uri: "file:///etc/passwd" }],
  ])("is not believed when it %s", async (_what, change) => {
    Object.assign(corp.metadata, change)
    if (corp.metadata.issuer === "slash") corp.metadata.issuer = `${corp.issuer}/`
    const { outcomeOf, reports } = createWorld([byJwt(corp)])
    expect(await outcomeOf(await corp.sign())).toMatch(/^503 temporarily_unavailable: /)
    expect(corp.count(paths.keys)).toBe(0)
    expect(reports).toHaveLength(1)
  })

  it("causes no request into our network", async () => {
    const { outcomeOf, reports } = createWorld([
      {
        issuer: "https://corp.example",
        tenant: "acme",
        verify: { by: "jwt", jwksUri: "https://169.254.169.254/keys" },
      },
    ])
    const token = await signToken(claimsOf("https://corp.example"), {}, corp.signing)
    expect(await outcomeOf(token)).toMatch(/^503 /)
    expect(reports[0]).toContain("The request to 169.254.169.254 was not made: it is not a public address")
  })
})

describe("an issuer that cannot be asked", () => {
  verifies(
    "caller.unavailable-is-no-refusal",
    "causes a 503 with an explanation, and is asked again after five seconds",
    async () => {
      corp.broken.set(paths.keys, 500)
      const { call, outcomeOf, clock, reports } = createWorld([byJwt(corp)])
      const token = await corp.sign()
      const answer = (await call(token)) as Response
      expect(answer.status).toBe(503)
      expect(answer.headers.get("www-authenticate")).toBeNull()
      expect(answer.headers.get("retry-after")).toBe("5")
      expect(reports).toEqual([
        `checking a token of ${corp.issuer}: Tokens of ${corp.issuer} cannot be checked: it answered the request for its keys with status 500.`,
      ])
      corp.broken.clear()
      expect(await outcomeOf(token)).toMatch(/^503 .*Try again with the same token\.$/)
      expect(corp.count(paths.keys)).toBe(1)
      clock.set(start + 5_000)
      expect(await outcomeOf(token)).toBe("ok")
    },
  )

  verifies("caller.unavailable-is-no-refusal", "is not needed for an hour when its keys are known", async () => {
    const { outcomeOf, clock } = createWorld([byJwt(corp)])
    const token = await corp.sign({ exp: start / 1_000 + 8 * 3_600 })
    expect(await outcomeOf(token)).toBe("ok")
    corp.broken.set(paths.keys, 503)
    clock.set(start + 59 * minute)
    expect(await outcomeOf(token)).toBe("ok")
    clock.set(start + 61 * minute)
    expect(await outcomeOf(token)).toMatch(/^503 /)
  })

  verifies("caller.unavailable-is-no-refusal", "leaves a token of an unknown key undecided", async () => {
    const { outcomeOf } = createWorld([byJwt(corp)])
    expect(await outcomeOf(await corp.sign())).toBe("ok")
    corp.broken.set(paths.keys, 503)
    for (const kid of ["a", "b", "c"]) expect(await outcomeOf(await corp.sign({}, { kid }))).toMatch(/^503 /)
    expect(corp.count(paths.keys)).toBe(2)
  })

  it.each(["not json", "{}", '{"keys":{}}', '{"keys":[1]}', "null"])("may be one whose keys are %s", async (body) => {
    const verify = { by: "jwt", jwksUri: `${corp.issuer}${paths.keys}` } as const
    const { outcomeOf } = createWorld([byJwt(corp, { verify })], { fetch: async () => new Response(body) })
    expect(await outcomeOf(await corp.sign())).toMatch(/^503 /)
  })
})

describe("a cached value", () => {
  it("is used after the clock was set back a little, and loaded again after it was set back far", async () => {
    let now = 0
    let loads = 0
    const times = { freshMs: 10, staleMs: 100, retryMs: 5, renewMs: 20 }
    const kept = createCached(
      async () => ++loads,
      () => now,
      times,
    )
    expect(await kept.get()).toBe(1)
    now = -5
    expect(await kept.get()).toBe(1)
    now = -50
    expect(await kept.get()).toBe(2)
  })

  it("is not loaded again for callers that saw an older one", async () => {
    let loads = 0
    const times = { freshMs: 10, staleMs: 100, retryMs: 5, renewMs: 20 }
    const kept = createCached(
      async () => ++loads,
      () => 0,
      times,
    )
    const seen = await kept.get()
    expect(await Promise.all([kept.renew(seen), kept.renew(seen), kept.renew(seen)])).toEqual([2, 2, 2])
    expect(await kept.renew(seen)).toBe(2)
    expect(await kept.renew(2)).toBeUndefined()
    expect(loads).toBe(2)
  })
})
