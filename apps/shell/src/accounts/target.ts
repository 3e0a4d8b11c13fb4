// Maps a script's request on an account's socket to an address of the provider. Pure. The connection itself checks the
// address again before it sends anything.

/** The parts of a request that say where it goes. */
export interface RequestTarget {
  /** The target of the request line: a path, or an absolute URL. */
  readonly target: string
  readonly host: string | undefined
}

/** The host name that stands for the provider's first address. */
const defaultHost = "account"

/** `api` are the provider's addresses. Returns an absolute URL, or what is wrong with the request. */
export function toTarget(
  api: readonly string[],
  { target, host = "" }: RequestTarget,
): string | { readonly problem: string } {
  const absolute = /^https?:\/\//i.test(target) ? URL.parse(target) : null
  if (absolute !== null) return pathAt(api, absolute.host, `${absolute.pathname}${absolute.search}`)
  // Appended as text, not resolved: resolving “//elsewhere.example/” would lead to another host.
  if (target.startsWith("/")) return pathAt(api, host, target)
  return { problem: `“${target.slice(0, 100)}” is neither a path nor an address. Use http://${defaultHost}/path.` }
}

function pathAt(api: readonly string[], host: string, path: string): string | { readonly problem: string } {
  const origins = api.flatMap((address) => URL.parse(address)?.origin ?? [])
  const isDefault = host === defaultHost || host === ""
  const origin = isDefault ? origins[0] : origins.find((candidate) => new URL(candidate).host === host.toLowerCase())
  if (origin !== undefined) return `${origin}${path}`
  const hosts = origins.map((candidate) => `http://${new URL(candidate).host}/`).join(", ")
  return {
    problem:
      `This account cannot be used for “${host.slice(0, 100)}”. Use http://${defaultHost}/path for ${origins[0]}` +
      `${origins.length > 1 ? `, or one of ${hosts}` : ""}.`,
  }
}
