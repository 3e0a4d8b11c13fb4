// What the response to /status.php says about a typed address.

import { describe, expect, it } from "vitest"
import { interpretProbe, nearbyAddresses } from "../src/probe.ts"

const url = "https://cloud.example.org"
const answer = (status: number, body?: unknown, location?: string) =>
  interpretProbe({
    url,
    answer: { status, ...(body === undefined ? {} : { body }), ...(location === undefined ? {} : { location }) },
  })
const failure = (code: string, at = url) => interpretProbe({ url: at, failure: { code, message: "It failed." } })

describe("a probe of an address", () => {
  const status = {
    installed: true,
    maintenance: false,
    needsDbUpgrade: false,
    versionstring: "32.0.1",
    productname: "Nextcloud",
  }

  it("reads version, product and state from the status", () => {
    expect(answer(200, status)).toEqual({
      ...{ version: "32.0.1", product: "Nextcloud", maintenance: false, needsUpgrade: false },
    })
  })

  it.each([
    ["a page", answer(200), "the server there is not a Nextcloud"],
    ["other data", answer(200, { status: "ok" }), "the server there is not a Nextcloud"],
    ["nothing at this path", answer(404), "there is no /status.php (404)"],
    ["too many sign-ins", answer(429), "too many sign-ins failed"],
    ["a sign-in before it", answer(401), "requires a sign-in"],
    ["a server that is down", answer(502), "is not working at the moment (502)"],
    [
      "another address",
      answer(301, undefined, "https://new.example.org/status.php"),
      "use --host https://new.example.org",
    ],
    ["a certificate of its own", failure("DEPTH_ZERO_SELF_SIGNED_CERT"), "NODE_EXTRA_CA_CERTS"],
    ["an unknown issuer", failure("SELF_SIGNED_CERT_IN_CHAIN"), "NODE_EXTRA_CA_CERTS"],
    ["an old certificate", failure("CERT_HAS_EXPIRED"), "has expired"],
    ["another's certificate", failure("ERR_TLS_CERT_ALTNAME_INVALID"), "is for another name"],
    ["no such host", failure("ENOTFOUND"), "There is no host cloud.example.org"],
    ["nothing listening", failure("ECONNREFUSED"), "Nothing is listening at cloud.example.org"],
    ["no answer", failure("UND_ERR_CONNECT_TIMEOUT"), "does not answer"],
    ["http where https was written", failure("ERR_SSL_WRONG_VERSION_NUMBER"), "Use http, or another port"],
    ["an address that is refused", failure("refused_address"), "HOLDPOINT_NETWORK_ALSO_ALLOW"],
    ["something else", failure("EWHATEVER"), "cannot be reached (EWHATEVER)"],
  ])("explains the problem: %s", (_what, judged, words) => {
    expect(judged).toMatchObject({ problem: expect.stringContaining(words) })
  })

  it("recommends https when the server redirects to it", () => {
    const at = "http://cloud.example.org/nc"
    const location = "https://cloud.example.org/nc/status.php"
    expect(interpretProbe({ url: at, answer: { status: 301, location } })).toEqual({
      problem: "The server requires https: use --host https://cloud.example.org/nc.",
      address: "https://cloud.example.org/nc",
    })
  })

  it("suggests the addresses above and the usual ones", () => {
    expect(nearbyAddresses(`${url}/a/b`)).toEqual([`${url}/a`, url, `${url}/nextcloud`, `${url}/cloud`])
    expect(nearbyAddresses(`${url}/cloud`)).toEqual([url, `${url}/nextcloud`])
  })
})
