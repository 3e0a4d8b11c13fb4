// Which addresses are public, in every way of writing them, and what an operator may add.

import { describe, expect, it } from "vitest"
import { createAddressRules, reachOf, toHost } from "../src/address.ts"

const judge = (url: string, options = {}): string | undefined => {
  const parsed = URL.parse(url)
  return parsed === null ? "unreadable" : createAddressRules(options).judgeUrl(parsed)
}

describe("an address", () => {
  it.each(["1.1.1.1", "8.8.8.8", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])(
    "%s is public",
    (one) => {
      expect(reachOf(one)).toBe("public")
    },
  )

  it.each(["127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1"])("%s is loopback", (address) => {
    expect(reachOf(address)).toBe("loopback")
  })

  it.each(["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "fd00:ec2::254", "fc00::1"])(
    "%s is private",
    (address) => {
      expect(reachOf(address)).toBe("private")
    },
  )

  it.each([
    ["0.0.0.0", "this machine, on most systems"],
    ["0.1.2.3", "this network"],
    ["169.254.169.254", "link-local, where clouds keep metadata"],
    ["168.63.129.16", "metadata at a public address"],
    ["192.0.0.192", "protocol assignments"],
    ["192.0.2.1", "documentation"],
    ["198.18.0.1", "benchmarks"],
    ["224.0.0.1", "multicast"],
    ["240.0.0.1", "reserved"],
    ["255.255.255.255", "broadcast"],
    ["::", "unspecified"],
    ["::7f00:1", "IPv4 in IPv6, the deprecated way"],
    ["::ffff:0:127.0.0.1", "translated IPv4"],
    ["::ffff:169.254.169.254", "mapped link-local"],
    ["64:ff9b::a9fe:a9fe", "NAT64 of link-local"],
    ["64:ff9b::7f00:1", "NAT64 of loopback"],
    ["64:ff9b::a00:1", "NAT64 of a private address"],
    ["64:ff9b:1::808:808", "local NAT64"],
    ["2002:7f00:1::", "6to4 of loopback"],
    ["2002:808:808::", "6to4 of anything"],
    ["2001:0:808:808::f5ff:fffe", "Teredo of 10.0.0.1"],
    ["2001:db8::1", "documentation"],
    ["3fff::1", "documentation"],
    ["fe80::1", "link-local"],
    ["fec0::1", "site-local"],
    ["ff02::1", "multicast"],
    ["100::1", "discard"],
    ["4000::1", "not assigned"],
  ])("%s is never reached: %s", (address) => {
    expect(reachOf(address)).toBe("never")
  })

  it.each(["fe80::1%eth0", "2606:4700::1%eth0", "example.org", ""])("%j is not one", (text) => {
    expect(reachOf(text)).toBeUndefined()
  })
})

describe("an address in a url", () => {
  it.each([
    "https://127.0.0.1/",
    "https://127.1/",
    "https://127.0.0.1./",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://017700000001/",
    "https://①②⑦.0.0.1/",
    "https://127%2e0%2e0%2e1/",
    "https://0/",
    "https://[::1]/",
    "https://[::]/",
    "https://[0:0:0:0:0:0:0:1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[::127.0.0.1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "https://[fe80::1%25eth0]/",
    "https://169.254.169.254/latest/meta-data/",
    "https://[fd00:ec2::254]/",
    "https://10.0.0.1/",
    "https://localhost/",
    "https://LOCALHOST/",
    "https://localhost./",
    "https://a.localhost/",
    "https://printer.local/",
    "https://printer.local./",
    "https://metadata.google.internal/",
    "https://router.home.arpa/",
    "https://intranet/",
  ])("%s is refused", (url) => {
    expect(judge(url)).toBeDefined()
  })

  it.each(["https://example.org/", "https://example.org./", "https://1.1.1.1/", "https://[2606:4700::1111]:8443/"])(
    "%s may be tried",
    (url) => {
      expect(judge(url)).toBeUndefined()
    },
  )

  it.each(["http://example.org/", "http://1.1.1.1/", "ftp://example.org/", "file:///etc/passwd", "data:,x"])(
    "%s is refused: https only",
    (url) => {
      expect(judge(url)).toContain("only https")
    },
  )

  it("is refused with a user name or password", () => {
    expect(judge("https://a@example.org/")).toContain("user name")
    expect(judge("https://:b@example.org/")).toContain("user name")
  })
})

describe("loopback, allowed for development", () => {
  const options = { allowLoopback: true }

  it.each(["http://127.0.0.1:3000/", "http://[::1]/", "http://localhost/", "https://a.localhost/"])(
    "%s passes",
    (url) => {
      expect(judge(url, options)).toBeUndefined()
    },
  )

  it.each(["http://0.0.0.0/", "http://10.0.0.1/", "http://[::ffff:10.0.0.1]/", "http://printer.local/"])(
    "allows nothing else: %s",
    (url) => {
      expect(judge(url, options)).toBeDefined()
    },
  )

  it("is reached only by names of this machine", () => {
    const rules = createAddressRules(options)
    expect(rules.mayConnect("localhost", "127.0.0.1", "http:")).toBe(true)
    expect(rules.mayConnect("localhost", "10.0.0.1", "http:")).toBe(false)
    expect(rules.mayConnect("evil.example", "127.0.0.1", "https:")).toBe(false)
  })
})

describe("what the operator allows", () => {
  it.each([
    [["cloud.lan"], "http://cloud.lan/"],
    [["CLOUD.lan."], "https://cloud.lan/"],
    [["10.0.0.0/8"], "http://10.1.2.3/"],
    [["10.1.2.3"], "http://0xa.1.2.3/"],
    [["10.0.0.0/8"], "http://[::ffff:10.1.2.3]/"],
    [["fd00::/8"], "https://[fd00::1]/"],
    [["fd00::1"], "https://[fd00::1]/"],
    [["[fd00::1]"], "https://[fd00::1]/"],
  ])("%j allows %s", (alsoAllow, url) => {
    expect(judge(url, { alsoAllow })).toBeUndefined()
  })

  it.each([
    [["cloud.lan"], "http://other.lan/"],
    [["cloud.lan"], "https://a.cloud.lan/"],
    [["10.0.0.0/8"], "http://11.0.0.1/"],
    [["10.0.0.0/8"], "https://127.0.0.1/"],
  ])("%j does not allow %s", (alsoAllow, url) => {
    expect(judge(url, { alsoAllow })).toBeDefined()
  })

  it("lets a listed host resolve to a private network, but never to metadata", () => {
    const rules = createAddressRules({ alsoAllow: ["cloud.lan"] })
    expect(rules.mayConnect("cloud.lan", "192.168.1.5", "http:")).toBe(true)
    expect(rules.mayConnect("cloud.lan.", "1.1.1.1", "http:")).toBe(true)
    expect(rules.mayConnect("cloud.lan", "169.254.169.254", "http:")).toBe(false)
    expect(rules.mayConnect("other.example", "192.168.1.5", "https:")).toBe(false)
  })

  it("lets any host resolve to an allowed range, and allows plain http only there", () => {
    const rules = createAddressRules({ alsoAllow: ["192.168.0.0/16"] })
    expect(rules.mayConnect("cloud.example", "192.168.1.5", "http:")).toBe(true)
    expect(rules.mayConnect("cloud.example", "1.1.1.1", "https:")).toBe(true)
    expect(rules.mayConnect("cloud.example", "1.1.1.1", "http:")).toBe(false)
    expect(rules.mayConnect("cloud.example", "fe80::1%eth0", "https:")).toBe(false)
  })

  it.each(["https://cloud.lan", "cloud.lan/path", "cloud.lan:8080", "a@cloud.lan", "", "10.0.0.0/40", "*"])(
    "is refused when it is not a host: %j",
    (entry) => {
      expect(() => createAddressRules({ alsoAllow: [entry] })).toThrow(/is not a host that can be allowed/)
    },
  )
})

describe("a host", () => {
  it.each([
    ["[::FFFF:7f00:1]", "127.0.0.1"],
    ["127.0.0.1", "127.0.0.1"],
    ["[2606:4700:0:0::1]", "2606:4700::1"],
  ])("%s is the address %s", (hostname, address) => {
    expect(toHost(hostname).address).toBe(address)
  })

  it("is a name without its trailing dot", () => {
    expect(toHost("Example.ORG.")).toEqual({ name: "example.org" })
  })
})
