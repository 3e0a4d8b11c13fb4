// Where a request of a script to the socket of an account is meant to go. Pure. The connection itself checks the address
// again before it sends anything.

/** The parts of a request that say where it goes. */
export interface Asked {
  /** The target of the request line: a path, or a whole address. */
  readonly target: string
  readonly host: string | undefined
}

/** The name that stands for the first address of the provider. */
const usualHost = "account"

/** `api` are the addresses of the provider. Returns a whole address, or what is wrong with the request. */
export function toTarget(api: readonly string[], { target, host = "" }: Asked): string | { readonly problem: string } {
  const whole = /^https?:\/\//i.test(target) ? URL.parse(target) : null
  if (whole !== null) return pathAt(api, whole.host, `${whole.pathname}${whole.search}`)
  // Joined as text: “//elsewhere.example/” is a path here, and would be another host if it were resolved.
  if (target.startsWith("/")) return pathAt(api, host, target)
  return { problem: `“${target.slice(0, 100)}” is neither a path nor an address. Use http://${usualHost}/path.` }
}

function pathAt(api: readonly string[], host: string, path: string): string | { readonly problem: string } {
  const origins = api.flatMap((address) => URL.parse(address)?.origin ?? [])
  const isUsual = host === usualHost || host === ""
  const origin = isUsual ? origins[0] : origins.find((one) => new URL(one).host === host.toLowerCase())
  if (origin !== undefined) return `${origin}${path}`
  const hosts = origins.map((one) => `http://${new URL(one).host}/`).join(", ")
  return {
    problem:
      `The account is not for “${host.slice(0, 100)}”. Use http://${usualHost}/path for ${origins[0]}` +
      `${origins.length > 1 ? `, or one of ${hosts}` : ""}.`,
  }
}
