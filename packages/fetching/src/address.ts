// Decides which addresses a request may go to. Pure: judges URLs and resolved addresses; guarded-fetch.ts resolves and
// connects.

import { HoldpointError } from "@holdpoint/hub"
import ipaddr from "ipaddr.js"

/** `private`: a local network. `never`: not a valid destination, or a cloud's metadata service. */
export type Reach = "public" | "loopback" | "private" | "never"

export interface AddressOptions {
  /** Allows this machine itself, for development only. */
  readonly allowLoopback?: boolean
  /** Hosts, addresses or ranges (10.0.0.0/8) that the operator allows, also over http. */
  readonly alsoAllow?: readonly string[]
}

export interface AddressRules {
  /**
   * Why the URL is refused, or undefined. A host name that passes still has to be resolved and checked with
   * `mayConnect`.
   */
  judgeUrl(url: URL): string | undefined
  /** Whether a resolved address may be connected to. Plain http needs an exception of the operator. */
  mayConnect(hostname: string, address: string, protocol: string): boolean
}

export function createAddressRules({ allowLoopback = false, alsoAllow = [] }: AddressOptions): AddressRules {
  const exceptions = alsoAllow.map(toException)
  const isListed = (name: string): boolean =>
    exceptions.some((exception) => exception.kind === "name" && exception.name === name)
  const isInRange = (address: string): boolean =>
    reachOf(address) !== undefined &&
    exceptions.some((exception) => exception.kind === "range" && isInExceptionRange(address, exception))

  return {
    judgeUrl(url) {
      if (url.protocol !== "https:" && url.protocol !== "http:") return "only https is allowed"
      if (url.username !== "" || url.password !== "") return "it contains a user name or password"
      const { address, name } = toHost(url.hostname)
      const isPlain = url.protocol === "http:"
      if (address !== undefined) {
        const addressReach = reachOf(address)
        if (isInRange(address) || (allowLoopback && addressReach === "loopback")) return undefined
        if (addressReach !== "public") return "it is not a public address"
        return isPlain ? "only https is allowed" : undefined
      }
      if (isListed(name)) return undefined
      if (isLocalName(name)) return allowLoopback && isLoopbackName(name) ? undefined : "it is not a public host"
      // The name may resolve to an address that the operator allows over http; `mayConnect` decides.
      return isPlain && exceptions.length === 0 ? "only https is allowed" : undefined
    },
    mayConnect(hostname, address, protocol) {
      const { name } = toHost(hostname)
      const addressReach = reachOf(address)
      if (isInRange(address)) return true
      if (isListed(name)) return addressReach !== undefined && addressReach !== "never"
      // Only loopback names may resolve to loopback: any other name that does is an attack, even in development.
      if (isLoopbackName(name)) return allowLoopback && addressReach === "loopback"
      return protocol === "https:" && addressReach === "public"
    },
  }
}

/**
 * How far an address reaches. Undefined for text that is not an address, or that names a network interface
 * (fe80::1%eth0).
 */
export function reachOf(address: string): Reach | undefined {
  if (address.includes("%") || !ipaddr.isValid(address)) return undefined
  const parsedAddress = ipaddr.process(address)
  const range = parsedAddress.range()
  if (range === "loopback") return "loopback"
  if (range === "private" || range === "uniqueLocal" || range === "carrierGradeNat") return "private"
  if (parsedAddress instanceof ipaddr.IPv4)
    return range === "unicast" && !metadataAddresses.has(parsedAddress.toString()) ? "public" : "never"
  if (parsedAddress.match(nat64))
    return reachOf(parsedAddress.toByteArray().slice(12).join(".")) === "public" ? "public" : "never"
  return range === "unicast" && parsedAddress.match(globalUnicast) ? "public" : "never"
}

/** Splits a URL's hostname: an address in normal form, or a name without a trailing dot. */
export function toHost(hostname: string): { readonly address?: string; readonly name: string } {
  const withoutBrackets = hostname.replace(/^\[(.*)\]$/, "$1")
  if (ipaddr.isValid(withoutBrackets))
    return { address: ipaddr.process(withoutBrackets).toString(), name: withoutBrackets }
  return { name: withoutBrackets.toLowerCase().replace(/\.$/, "") }
}

// RFC 6052 (NAT64): IPv6-only networks reach IPv4 hosts under this prefix. 6to4 and Teredo are obsolete and refused.
const nat64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96")
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

/** Azure's metadata service has a public address. */
const metadataAddresses = new Set(["168.63.129.16"])

const isLoopbackName = (name: string): boolean => name === "localhost" || name.endsWith(".localhost")

/**
 * Whether a name belongs to this machine or a local network. A name without a dot is completed by the DNS search list.
 */
function isLocalName(name: string): boolean {
  return !name.includes(".") || /\.(?:localhost|local|internal|home\.arpa|localdomain|lan|intranet)$/.test(name)
}

type Exception =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "range"; readonly start: ipaddr.IPv4 | ipaddr.IPv6; readonly bits: number }

function toException(entry: string): Exception {
  if (ipaddr.isValidCIDR(entry)) {
    const [start, bits] = ipaddr.parseCIDR(entry)
    return { kind: "range", start, bits }
  }
  const url = URL.parse(`https://${entry.includes(":") && ipaddr.isValid(entry) ? `[${entry}]` : entry}`)
  if (url === null || url.hostname === "" || url.href !== `https://${url.hostname}/` || /[/?#@*]/.test(entry))
    throw new HoldpointError(
      "invalid_config",
      `“${entry}” is not a host that can be allowed. Write a host (cloud.lan), an address or a range (10.0.0.0/8).`,
    )
  const { address, name } = toHost(url.hostname)
  if (address === undefined) return { kind: "name", name }
  const start = ipaddr.parse(address)
  return { kind: "range", start, bits: start.kind() === "ipv4" ? 32 : 128 }
}

function isInExceptionRange(address: string, { start, bits }: Extract<Exception, { kind: "range" }>): boolean {
  const parsed = ipaddr.process(address)
  return parsed.kind() === start.kind() && parsed.match(start, bits)
}
